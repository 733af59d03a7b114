import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { certificate } from "./tls/certificate.ts";

export interface UpstreamProxy {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The requests, in order, such as `GET http://shop.test/` or `CONNECT shop.test:443`. */
  readonly asked: string[];
  /** The Proxy-Authorization header of each request in `asked`. */
  readonly credentials: (string | undefined)[];
  close(): Promise<void>;
}

export interface UpstreamProxyOptions {
  user: string;
  password: string;
  /** The real `host:port` for host names that can't be resolved. */
  hosts?: Record<string, string>;
  /** Whether it accepts connections and requests, but never responds. */
  hangs?: boolean;
  /** Whether clients connect to it with TLS. */
  secure?: boolean;
}

/**
 * Starts a forward proxy like those of commercial providers: it requires a password, forwards requests and opens
 * tunnels.
 */
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
