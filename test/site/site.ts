import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A web site on loopback whose answers each test sets. */
export interface Site {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** Paths asked for, in order, with their query. */
  readonly requests: string[];
  url(path: string): string;
  /** A path that no other test uses: tests of one file run side by side. */
  newPath(): string;
  /** A string is served as an HTML page. */
  setRoute(path: string, answer: string | Handler): void;
  setRedirect(from: string, to: string): void;
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  const routes = new Map<string, Handler>();
  const requests: string[] = [];
  let paths = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    const handler = routes.get(path) ?? routes.get(path.split("?")[0] ?? "");
    if (handler) await handler(request, response);
    else sendHtml(response, "<h1>Not found</h1>", 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setRoute = (path: string, answer: string | Handler) => {
    routes.set(path, typeof answer === "string" ? (_, response) => sendHtml(response, answer) : answer);
  };
  return {
    origin,
    host: new URL(origin).host,
    requests,
    url: (path) => origin + path,
    newPath() {
      paths += 1;
      return `/path-${paths}`;
    },
    setRoute,
    setRedirect(from, to) {
      setRoute(from, (_, response) => {
        response.writeHead(302, { location: to }).end();
      });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendHtml(response: ServerResponse, html: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html);
}
