import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { certificate } from "./tls/certificate.ts";

export interface UpstreamProxy {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** What it was asked for, in order: `GET http://shop.test/`, `CONNECT shop.test:443`. */
  readonly asked: string[];
  /** The Proxy-Authorization header of each of these. */
  readonly credentials: (string | undefined)[];
  close(): Promise<void>;
}

export interface UpstreamProxyOptions {
  user: string;
  password: string;
  /** Where it finds hosts that no resolver knows: name to `host:port`. */
  hosts?: Record<string, string>;
  /** Takes every connection and request, and never answers. */
  hangs?: boolean;
  /** Spoken to in TLS. */
  secure?: boolean;
}

/** A forward proxy as one rents it: it wants a password, passes plain requests on and opens tunnels. */
export async function startUpstreamProxy(options: UpstreamProxyOptions): Promise<UpstreamProxy> {
  const { user, password, hosts = {}, hangs, secure } = options;
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const asked: string[] = [];
  const credentials: UpstreamProxy["credentials"] = [];
  const sockets = new Set<Socket>();

  const place = ({ hostname, port, protocol }: URL) => {
    const known = hosts[hostname]?.split(":");
    return {
      host: known?.[0] ?? hostname,
      port: Number(known?.[1] ?? (port || (protocol === "https:" ? 443 : 80))),
    };
  };
  const admits = (incoming: IncomingMessage) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
    return incoming.headers["proxy-authorization"] === expected;
  };

  const server = secure ? createHttpsServer(certificate) : createServer();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (incoming, response) => {
    const admitted = admits(incoming);
    if (hangs) return;
    if (!admitted) {
      response.writeHead(407, { "Proxy-Authenticate": 'Basic realm="rented"' }).end("Who are you?");
      return;
    }
    const url = new URL(incoming.url as string);
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const sent = request({
      ...place(url),
      path: url.pathname + url.search,
      method: incoming.method,
      headers,
    });
    sent.on("response", (answer) => {
      answer.pipe(response.writeHead(answer.statusCode as number, answer.headers));
    });
    sent.on("error", () => response.writeHead(502).end());
    incoming.pipe(sent);
  });
  server.on("connect", (incoming: IncomingMessage, client: Socket) => {
    const admitted = admits(incoming);
    if (hangs) return;
    if (!admitted) {
      client.end("HTTP/1.1 407 Who are you\r\n\r\n");
      return;
    }
    const outside = connect(place(new URL(`https://${incoming.url}`)));
    outside.once("connect", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      outside.pipe(client);
      client.pipe(outside);
    });
    outside.on("error", () => client.end("HTTP/1.1 502 Not found\r\n\r\n"));
    client.on("error", () => outside.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    credentials,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
