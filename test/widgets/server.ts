import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answerApi } from "./api.ts";
import { type Bundle, bundle, entryOf } from "./bundle.ts";
import { FOLDER } from "./folder.ts";
import { renderPage } from "./server-pages/index.ts";

/** How long responses with scripts and with data are delayed, in ms. */
export interface Speed {
  scripts: number;
  data: number;
}
export const usual: Speed = { scripts: 0, data: 120 };
export const slow: Speed = { scripts: 700, data: 1_200 };

export interface WidgetSite {
  origin: string;
  host: string;
  close(): Promise<void>;
}

const types: Record<string, string> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The HTML for a bundled page: an empty root element, into which the script renders. */
const shellOf = (page: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${page}</title>
<link rel="stylesheet" href="/bundle/${page}.css">
<style>body { font-family: sans-serif; margin: 1rem }</style>
</head><body><div id="root"></div><script type="module" src="/bundle/${page}.js"></script></body></html>`;

/**
 * Starts a server on loopback. It serves the pages in pages/ and server-pages/ by their names, bundles under /bundle,
 * the files of libraries under /npm, and records under /data.
 */
export async function startWidgetSite(speed: Speed): Promise<WidgetSite> {
  const bundles = new Map<string, Promise<Bundle>>();
  const bundleOf = (page: string): Promise<Bundle> | undefined => {
    const entry = entryOf(page);
    if (!entry) return undefined;
    const made = bundles.get(page) ?? bundle(entry);
    bundles.set(page, made);
    return made;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const [, first = "", ...rest] = url.pathname.split("/");
    const path = rest.join("/");
    const asked = request.headers["sec-fetch-dest"];
    if (asked === "script") await sleep(speed.scripts);
    // Requests by scripts (fetch, XMLHttpRequest) count as data, even if the response is HTML.
    if (first === "data" || asked === "empty") await sleep(speed.data);
    try {
      if (first === "favicon.ico") return send(response, 204, undefined, "");
      if (first === "data") {
        const { status, body } = answerApi(url);
        return send(response, status, types[".json"], JSON.stringify(body));
      }
      if (first === "npm") return sendFile(response, path);
      if (first === "bundle") {
        const made = await bundleOf(path.replace(/\.\w+$/, ""));
        if (made)
          return send(response, 200, types[extname(path)], path.endsWith(".css") ? made.css : made.js);
      }
      const file = join(FOLDER, "pages", `${first}.html`);
      const html = existsSync(file)
        ? readFileSync(file, "utf8")
        : entryOf(first)
          ? shellOf(first)
          : renderPage(first, url, request.headers);
      send(response, html ? 200 : 404, "text/html", html ?? "<h1>Not found</h1>");
    } catch (error) {
      console.error(`${request.url} can't be served:`, error);
      send(response, 500, "text/plain", String(error));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `http://${host}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, status: number, type = "text/plain", body: string | Buffer): void {
  response
    .writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" })
    .end(body);
}

function sendFile(response: ServerResponse, path: string): void {
  const folder = join(FOLDER, "node_modules");
  const file = resolve(folder, path);
  if (file.startsWith(folder) && existsSync(file) && statSync(file).isFile())
    send(response, 200, types[extname(file)], readFileSync(file));
  else send(response, 404, "text/plain", "not found");
}
