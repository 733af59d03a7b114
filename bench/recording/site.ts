import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newPages, SECRET } from "./new-pages.ts";
import { htmlOf, PAGED } from "./pages.ts";

const { count, size } = PAGED;
const ALL = count * size;

const numbers = (page: number, address: (page: number) => string): string =>
  Array.from({ length: count }, (_, index) =>
    index + 1 === page
      ? `<span class="current">${page}</span>`
      : `<a href="${address(index + 1)}">${index + 1}</a>`,
  ).join(" ");

const byPage = (page: number) => `?page=${page}`;
const nextLink = (page: number, text: string) =>
  page < count ? `<a href="${byPage(page + 1)}">${text}</a>` : "";

/** What stands below the list on each page. */
const PAGERS: Record<string, (page: number) => string> = {
  numbers: (page) => numbers(page, byPage),
  arrow: (page) => `${numbers(page, byPage)} ${nextLink(page, "›")}`,
  german: (page) =>
    `${page > 1 ? `<a href="${byPage(page - 1)}">‹ Zurück</a> ` : ""}${nextLink(page, "Weiter ›")}`,
  offset: (page) => numbers(page, (each) => `?start=${(each - 1) * size}`),
  consent: (page) =>
    `${nextLink(page, "Next")}<div role="dialog" style="position:fixed;inset:auto 0 0 0;background:#ddd;padding:40px">We use cookies for statistics. <button onclick="this.parentElement.remove()">Accept all</button> <button onclick="this.parentElement.remove()">Reject all</button></div>`,
  table: (page) => nextLink(page, "Next"),
};

function pagedPage(kind: string, page: number): string {
  const items = Array.from({ length: size }, (_, index) => (page - 1) * size + index + 1);
  const rows =
    kind === "table"
      ? `<table class="stock"><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody>${items.map((item) => `<tr><td>Item ${item} of ${ALL}</td><td>€ ${item},50</td></tr>`).join("")}</tbody></table>`
      : `<ul class="items">${items.map((item) => `<li class="item"><h3>Item ${item} of ${ALL}</h3><p class="price">€ ${item},50</p></li>`).join("")}</ul>`;
  return `<main><h1>Items</h1>${rows}<nav class="pagination">${PAGERS[kind]?.(page)}</nav></main>`;
}

const isSignedIn = ({ headers }: IncomingMessage) => headers.cookie?.includes("member=yes") === true;

/** Lets those in who know the secret. */
async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const isMember = form.get("password") === SECRET.value;
  response.writeHead(303, { location: "?", ...(isMember && { "set-cookie": "member=yes" }) }).end();
}

/** Serves the pages of pages.ts that no other server has. */
export async function startPages(): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://pages");
    const [, part, name = "", rest = ""] = pathname.split("/");
    if (part === "new" && request.method === "POST") {
      void signIn(request, response);
      return;
    }
    const start = searchParams.get("start");
    const page = start === null ? Number(searchParams.get("page") ?? 1) : Number(start) / size + 1;
    const body =
      part === "single"
        ? htmlOf(Number(name))
        : part === "paged" && page <= count
          ? pagedPage(name, page)
          : part === "new"
            ? newPages[Number(name)]?.html({ rest, page, isSignedIn: isSignedIn(request) })
            : undefined;
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="en"><title>${name}</title><body>${body ?? "Not found"}</body></html>`,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
