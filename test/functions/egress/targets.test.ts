import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, test } from "@jest/globals";
import { closeAll, egressFor, eventually, get, tcpSite, tunnel } from "./loopback.ts";

/* Which hosts the browser may connect to, once it may have a secret. */

afterEach(closeAll);

const hello = (): Promise<Buffer> =>
  new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (chunk: Buffer) => resolve(chunk) });
    connectTls({ socket, servername: "shop.example", ALPNProtocols: ["h2"] });
  });

test("a name that may not be reached is never resolved", async () => {
  const resolved: string[] = [];
  const lookup = async (host: string) => {
    resolved.push(host);
    return [];
  };
  const egress = await egressFor({ lookup });
  const asked: string[] = [];
  egress.checkTargets(async (authority) => {
    asked.push(authority);
    return false;
  });
  const { socket: client } = await tunnel(egress, "hunter2.evil.example:443");
  client.write(await hello());
  await eventually(() => client.closed);
  expect((await get(egress, "http://hunter2.evil.example/")).status).toBe(400);
  expect(asked).toEqual(["hunter2.evil.example:443", "hunter2.evil.example:80"]);
  expect(resolved).toEqual([]);
});

test("a connection ahead of its request waits for the request, and then has all its bytes", async () => {
  const received: Buffer[] = [];
  const site = await tcpSite((socket) => socket.on("data", (chunk) => received.push(chunk)));
  const egress = await egressFor({ allowHosts: [site.host] });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  egress.checkTargets(() => promise);
  const { socket: client } = await tunnel(egress, site.host);
  const first = await hello();
  client.write(first);
  await eventually(() => client.bytesWritten > first.length);
  expect(site.open.size).toBe(0);
  resolve(true);
  await eventually(() => Buffer.concat(received).equals(first));
  client.write("and more");
  await eventually(() => Buffer.concat(received).toString("latin1").endsWith("and more"));
});

test("tunnels that were open before are closed, those to other hosts, and not those of WebSockets", async () => {
  const sites = await Promise.all([1, 2, 3].map(() => tcpSite((socket) => socket.resume())));
  const [own, other, live] = sites as [(typeof sites)[0], (typeof sites)[0], (typeof sites)[0]];
  const egress = await egressFor({ allowHosts: sites.map(({ host }) => host) });
  const clients = await Promise.all(sites.map(async ({ host }) => (await tunnel(egress, host)).socket));
  const [ownClient, otherClient, liveClient] = clients;
  ownClient?.write(await hello());
  otherClient?.write(await hello());
  liveClient?.write("GET /socket HTTP/1.1\r\n\r\n");
  await eventually(() => sites.every(({ open }) => [...open].every((socket) => socket.bytesRead > 0)));
  egress.closeTunnels((authority) => authority === own.host);
  await eventually(() => otherClient?.closed === true && other.open.size === 0);
  expect([own.open.size, live.open.size]).toEqual([1, 1]);
});
