import { createServer, request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import type { Lookup } from "../../../functions/egress/resolve.ts";
import { startEgress } from "../../../functions/egress/start-egress.ts";
import { closeAll, egressFor, eventually, get, httpSite, type Site, tcpSite, tunnel } from "./loopback.ts";

afterEach(closeAll);

const AUTHORIZATION = `Basic ${Buffer.from("user:p@ss:word").toString("base64")}`;

/** A proxy with credentials that leads everything to `site`, and notes what it was asked for. */
async function upstreamTo(site: Site) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (incoming.headers["proxy-authorization"] !== AUTHORIZATION) {
      response.writeHead(407, { "Proxy-Authenticate": "Basic" }).end();
      return;
    }
    const { headers, method } = incoming;
    const sent = request({
      host: "127.0.0.1",
      port: site.port,
      path: new URL(incoming.url as string).pathname,
      method,
      headers,
    });
    sent.on("response", (answer) =>
      answer.pipe(response.writeHead(answer.statusCode as number, answer.headers)),
    );
    incoming.pipe(sent);
  });
  server.on("connect", (incoming, client) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (incoming.headers["proxy-authorization"] !== AUTHORIZATION) {
      client.end("HTTP/1.1 407 Auth\r\n\r\n");
      return;
    }
    const outside = connect(site.port, "127.0.0.1");
    // The first bytes of the site come together with the proxy's own answer.
    outside.once("data", (first) => {
      client.write(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), first]));
      outside.pipe(client);
      client.pipe(outside);
    });
    outside.on("error", () => client.destroy());
    client.on("error", () => outside.destroy());
  });
  const front = await tcpSite((socket) => void server.emit("connection", socket));
  return { asked, front, url: `http://user:p%40ss%3Aword@${front.host}` };
}

const publicLookup: Lookup = async () => [{ address: "8.8.8.8", family: 4 }];

test("requests go through the upstream proxy by name, with its credentials, on one connection", async () => {
  const seen: string[][] = [];
  const site = await httpSite((incoming, response) => {
    seen.push(incoming.rawHeaders);
    response.end(`hello ${incoming.url}`);
  });
  const { asked, front, url } = await upstreamTo(site);
  const egress = await egressFor({ upstream: { url }, lookup: async (host) => publicLookup(host) });
  for (const host of ["shop.test", "other.test:8080"]) {
    expect(await get(egress, `http://${host}/a`)).toMatchObject({ status: 200, body: "hello /a" });
  }
  expect(asked).toEqual(["GET http://shop.test:80/a", "GET http://other.test:8080/a"]);
  expect(front.accepted).toBe(1);
  expect(seen[0]).toContain("shop.test");
});

test("tunnels go through it too, and lose no byte", async () => {
  const site = await tcpSite((socket) => {
    socket.write("greeting ");
    socket.pipe(socket);
  });
  const { asked, url } = await upstreamTo(site);
  const egress = await egressFor({ upstream: { url }, lookup: publicLookup });
  const { status, head, socket } = await tunnel(egress, "shop.test:443");
  let received = head.split("\r\n\r\n")[1] as string;
  socket.on("data", (chunk) => {
    received += chunk;
  });
  expect(status).toBe(200);
  socket.write("echo");
  await eventually(() => received === "greeting echo");
  expect(asked).toEqual(["CONNECT shop.test:443"]);
});

test("what is private here is refused before the upstream proxy hears of it", async () => {
  const site = await httpSite((_request, response) => response.end());
  const { asked, url } = await upstreamTo(site);
  const lookup = jest.fn<Lookup>().mockResolvedValue([{ address: "10.0.0.1", family: 4 }]);
  const egress = await egressFor({ upstream: { url }, lookup });
  for (const host of ["inside.test", "127.0.0.1", "[::1]", "169.254.169.254"]) {
    expect((await get(egress, `http://${host}/`)).status).toBe(403);
    expect((await tunnel(egress, `${host}:443`)).status).toBe(403);
    expect(egress.wasRefused(`https://${host}/`)).toBe(true);
  }
  expect(asked).toEqual([]);
});

test("wrong credentials are the operator's to see, in neither wording nor challenge", async () => {
  const site = await httpSite((_request, response) => response.end());
  const { front } = await upstreamTo(site);
  const egress = await egressFor({
    upstream: { url: `http://me:hunter2@${front.host}` },
    lookup: publicLookup,
  });
  const answer = await get(egress, "http://shop.test/");
  expect(answer).toMatchObject({
    status: 502,
    body: "shop.test:80 can't be reached: the upstream proxy refused its credentials\n",
  });
  expect(answer.headers).not.toHaveProperty("proxy-authenticate");
  const { status, head } = await tunnel(egress, "shop.test:443");
  expect(status).toBe(502);
  const told = [
    JSON.stringify(answer),
    head,
    egress.failureOf("http://shop.test/"),
    egress.failureOf("https://shop.test/"),
  ];
  expect(told.join()).not.toMatch(/hunter2|aHVudGVy/);
});

test.each([
  [
    "refuses",
    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n",
    502,
    "The upstream proxy answered 503 for shop.test:443",
  ],
  ["hangs up", "", 502, "The connection to the upstream proxy failed: ECONNRESET"],
  [
    "talks nonsense",
    "nonsense\r\n\r\n",
    502,
    "The connection to the upstream proxy failed: HPE_INVALID_CONSTANT",
  ],
])("an upstream proxy that %s", async (_name, bytes, status, message) => {
  const front = await tcpSite((socket) => void socket.once("data", () => socket.end(bytes)));
  const egress = await egressFor({ upstream: { url: `http://${front.host}` }, lookup: publicLookup });
  expect((await tunnel(egress, "shop.test:443")).status).toBe(status);
  expect(egress.failureOf("https://shop.test/")).toBe(message);
  await eventually(() => front.open.size === 0);
});

test("an upstream proxy that never answers", async () => {
  const front = await tcpSite((socket) => void socket.resume());
  const egress = await egressFor({
    upstream: { url: `http://${front.host}` },
    lookup: publicLookup,
    limits: { connectMs: 30 },
  });
  expect((await tunnel(egress, "shop.test:443")).status).toBe(504);
  await eventually(() => front.open.size === 0);
});

test("an upstream proxy that is not there", async () => {
  const front = await tcpSite((socket) => void socket.resume());
  await closeAll();
  const egress = await egressFor({ upstream: { url: `http://${front.host}` }, lookup: publicLookup });
  expect(await get(egress, "http://shop.test/")).toMatchObject({
    status: 502,
    body: "The connection to the upstream proxy failed: ECONNREFUSED\n",
  });
});

test.each(["socks5://user:hunter2@127.0.0.1:1080", "https://user:hunter2@proxy.test", "user:hunter2@proxy"])(
  "an address that is no http proxy is refused without repeating it",
  async (url) => {
    const error = await startEgress({ allowHosts: [], upstream: { url } }).catch((caught) => caught);
    expect(error.message).toBe("The upstream proxy's address must be an http:// URL");
    expect(JSON.stringify(error)).not.toContain("hunter2");
  },
);
