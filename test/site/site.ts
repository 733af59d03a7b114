import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export type SocketHandler = (path: string, socket: Duplex) => void;

/** A web site on loopback. Each test sets its responses. */
export interface Site {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The requested paths, with their queries, in order. */
  readonly requests: string[];
  url(path: string): string;
  /** Returns a path that no other test uses, because tests of one file may run concurrently. */
  newPath(): string;
  /** Sets the response for a path. A string is served as an HTML page. */
  setRoute(path: string, answer: string | Handler): void;
  setRedirect(from: string, to: string): void;
  /** Sets the handler for WebSockets. Without a handler, their connections are closed. */
  onSocket(handler: SocketHandler): void;
  /** Removes all routes, requests and the handler for WebSockets. */
  reset(): void;
  close(): Promise<void>;
}

/** The constant that is appended to a WebSocket's key before it is hashed (RFC 6455, section 1.3). */
const SOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

const onAnyPort = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

/** @param delayMs how long each response is delayed */
export async function startSite(delayMs = 0, listen = onAnyPort): Promise<Site> {
  const routes = new Map<string, Handler>();
  const requests: string[] = [];
  let paths = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    const handler = routes.get(path) ?? routes.get(path.split("?")[0] ?? "");
    if (delayMs > 0) await sleep(delayMs);
    if (handler) await handler(request, response);
    else sendHtml(response, "<h1>Not found</h1>", 404);
  });
  const sockets = new Set<Duplex>();
  const refuse: SocketHandler = (_, socket) => void socket.destroy();
  let onSocket = refuse;
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const key = `${request.headers["sec-websocket-key"]}${SOCKET_GUID}`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    onSocket(request.url ?? "", socket);
  });
  await listen(server);
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
    onSocket(handler) {
      onSocket = handler;
    },
    reset() {
      routes.clear();
      requests.splice(0);
      onSocket = refuse;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendHtml(response: ServerResponse, html: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html);
}
