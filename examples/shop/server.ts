import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bookPage } from "./book-page.ts";
import { books } from "./books.ts";
import { listingOf } from "./catalogue.ts";
import { cataloguePage } from "./catalogue-page.ts";
import { cover } from "./cover.ts";
import type { Html } from "./html.ts";
import { homePage, notFoundPage, visitPage } from "./pages.ts";

interface Answer {
  status: number;
  type: string;
  body: string;
}

const page = (content: Html, status = 200): Answer => ({
  status,
  type: "text/html; charset=utf-8",
  body: content.text,
});
const svg = (content: Html): Answer => ({ status: 200, type: "image/svg+xml", body: content.text });
const file = (name: string, type: string): Answer => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  body: readFileSync(new URL(name, import.meta.url), "utf8"),
});

/** Everything in the shop that has one address and never changes. */
const fixed: Record<string, () => Answer> = {
  "/": () => page(homePage()),
  "/visit": () => page(visitPage()),
  "/shop.css": () => file("shop.css", "text/css"),
  "/shop.js": () => file("shop.js", "text/javascript"),
  "/favicon.svg": () => file("favicon.svg", "image/svg+xml"),
  ...Object.fromEntries(books.map((book) => [book.path, () => page(bookPage(book))])),
  ...Object.fromEntries(books.map((book) => [`/covers/${book.number}.svg`, () => svg(cover(book))])),
};

function answer(address: string): Answer {
  const url = URL.parse(address, "http://shop");
  const listing = url?.pathname === "/books" ? listingOf(url.searchParams) : undefined;
  if (listing) return page(cataloguePage(listing));
  const make = url && Object.hasOwn(fixed, url.pathname) ? fixed[url.pathname] : undefined;
  return make?.() ?? page(notFoundPage(), 404);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return;
  }
  const { status, type, body } = answer(request.url ?? "/");
  response
    .writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) })
    .end(request.method === "HEAD" ? undefined : body);
}

/** Serves the shop; port 0 takes a free one. Rejects where the port is taken. */
export async function startShop({
  port = 0,
  host = "127.0.0.1",
}: {
  port?: number;
  host?: string;
} = {}): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handle).listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      // Browsers keep connections open that close() would wait for.
      server.closeAllConnections();
      await closed;
    },
  };
}
