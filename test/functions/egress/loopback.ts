import { type Agent, createServer, type IncomingHttpHeaders, type RequestListener, request } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { text } from "node:stream/consumers";
import type { Egress } from "../../../functions/egress/proxy/egress.ts";
import { MAX_HEADER_BYTES } from "../../../functions/egress/proxy/response-head.ts";
import { type EgressOptions, startEgress } from "../../../functions/egress/proxy/start-egress.ts";

export interface Site {
  port: number;
  /** `127.0.0.1:port` */
  host: string;
  /** Connections accepted so far, and those open now. */
  accepted: number;
  open: Set<Socket>;
  /** Bytes received on connections that are closed. */
  received: number;
}

/** Everything that a test opened, closed at its end by `closeAll`. */
const closers: (() => Promise<void> | void)[] = [];

export const onClose = (close: () => Promise<void> | void) => void closers.push(close);

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

async function listen(server: Server, address: string, port: number): Promise<Site> {
  const site: Site = { port: 0, host: "", accepted: 0, open: new Set(), received: 0 };
  server.on("connection", (socket: Socket) => {
    site.accepted++;
    site.open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      site.received += socket.bytesRead;
      site.open.delete(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  site.port = (server.address() as AddressInfo).port;
  site.host = `${address}:${site.port}`;
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of site.open) socket.destroy();
      }),
  );
  return site;
}

export function httpSite(listener: RequestListener, address = "127.0.0.1", port = 0): Promise<Site> {
  return listen(createServer({ keepAliveTimeout: 60_000 }, listener), address, port);
}

/** A site that speaks in raw bytes. */
export function tcpSite(onConnection: (socket: Socket) => void): Promise<Site> {
  return listen(createTcpServer(onConnection), "127.0.0.1", 0);
}

export async function egressFor(options: Partial<EgressOptions> = {}): Promise<Egress> {
  const egress = await startEgress({ allowHosts: [], ...options });
  closers.push(() => egress.close());
  return egress;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

export interface GetOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  agent?: Agent;
}

/** One request in absolute form. Rejects where the answer breaks off. */
export function get(egress: Egress, url: string, options: GetOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(egress.proxyUrl);
  return new Promise((resolve, reject) => {
    const { body, ...rest } = options;
    const sent = request({ hostname, port, path: url, maxHeaderSize: MAX_HEADER_BYTES, ...rest });
    sent.on("response", (answer) => {
      const { statusCode, headers, rawHeaders } = answer;
      text(answer).then(
        (body) => resolve({ status: statusCode as number, headers, rawHeaders, body }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A raw connection to the proxy. */
export async function client(egress: Egress): Promise<Socket> {
  const socket = connect(Number(new URL(egress.proxyUrl).port), "127.0.0.1");
  socket.on("error", () => {});
  closers.push(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

export function once(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve) => socket.once(event, resolve));
}

/** Sends bytes and gives all that comes back until the other side ends. */
export async function exchange(egress: Egress, bytes: string | Buffer): Promise<string> {
  const socket = await client(egress);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.write(bytes);
  await once(socket, "close");
  return received;
}

/** The status of a CONNECT, and the connection to go on with. */
export async function tunnel(
  egress: Egress,
  authority: string,
): Promise<{ status: number; head: string; socket: Socket }> {
  const socket = await client(egress);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const head = await new Promise<string>((resolve) =>
    socket.once("data", (data) => resolve(data.toString())),
  );
  return { status: Number(head.split(" ")[1]), head, socket };
}

/** Waits for something that happens soon, however slow the machine is. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
