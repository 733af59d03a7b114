import { createServer, request } from "node:http";
import { connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { Lookup } from "../../../../functions/egress/connect/resolve.ts";
import { startEgress } from "../../../../functions/egress/proxy/start-egress.ts";
import { certificate } from "../../../site/tls/certificate.ts";
import { startUpstreamProxy } from "../../../site/upstream-proxy.ts";
import {
  closeAll,
  egressFor,
  eventually,
  get,
  httpSite,
  onClose,
  type Site,
  tcpSite,
  tunnel,
} from "../loopback.ts";

afterEach(closeAll);

const AUTHORIZATION = `Basic ${Buffer.from("user:p@ss:word").toString("base64")}`;

/** A proxy with credentials that leads everything to `site`, and notes what it was asked for. */
async function upstreamTo(site: Site) {
  const asked: string[] = [];
  const accepts = { authorization: AUTHORIZATION };
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (incoming.headers["proxy-authorization"] !== accepts.authorization) {
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
    if (incoming.headers["proxy-authorization"] !== accepts.authorization) {
      client.end("HTTP/1.1 407 Auth\r\n\r\n");
      return;
    }
    const outside = connect(site.port, "127.0.0.1");
    if (incoming.url?.endsWith(":80")) {
      outside.on("error", () => {});
      client.on("close", () => outside.destroy());
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      return;
    }
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
  return { accepts, asked, front, url: `http://user:p%40ss%3Aword@${front.host}` };
}

const name = "the residential proxy for Peru";
const publicLookup: Lookup = async () => [{ address: "8.8.8.8", family: 4 }];

test("requests go through the upstream proxy by name, with its credentials, on one connection", async () => {
  const seen: string[][] = [];
  const site = await httpSite((incoming, response) => {
    seen.push(incoming.rawHeaders);
    response.end(`hello ${incoming.url}`);
  });
  const { asked, front, url } = await upstreamTo(site);
  const egress = await egressFor({ upstream: { url, name }, lookup: async (host) => publicLookup(host) });
  for (const host of ["shop.test", "other.test:8080"]) {
    expect(await get(egress, `http://${host}/a`)).toMatchObject({ status: 200, body: "hello /a" });
  }
  // First it asks for a tunnel, on a connection of its own, to learn whether the proxy accepts the credentials.
  const signIn = "CONNECT shop.test:80";
  expect(asked).toEqual([signIn, "GET http://shop.test:80/a", "GET http://other.test:8080/a"]);
  expect(front.accepted).toBe(2);
  expect(seen[0]).toContain("shop.test");
});

test("tunnels go through it too, and lose no byte", async () => {
  const site = await tcpSite((socket) => {
    socket.write("greeting ");
    socket.pipe(socket);
  });
  const { asked, url } = await upstreamTo(site);
  const egress = await egressFor({ upstream: { url, name }, lookup: publicLookup });
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
  const egress = await egressFor({ upstream: { url, name }, lookup });
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
    upstream: { url: `http://me:hunter2@${front.host}`, name },
    lookup: publicLookup,
  });
  const answer = await get(egress, "http://shop.test/");
  expect(answer).toMatchObject({
    status: 502,
    body: "the residential proxy for Peru refused its credentials\n",
  });
  expect(answer.headers).not.toHaveProperty("proxy-authenticate");
  const { status, head } = await tunnel(egress, "shop.test:443");
  expect(status).toBe(502);
  // The same password again would be refused again, and may get the operator locked out.
  for (const url of ["http://shop.test/", "https://shop.test/"])
    expect(egress.proxyFault(url)).toEqual({ transient: false });
  const told = [
    JSON.stringify(answer),
    head,
    egress.failureOf("http://shop.test/"),
    egress.failureOf("https://shop.test/"),
  ];
  expect(told.join()).not.toMatch(/hunter2|aHVudGVy/);
});

describe("a site that demands a proxy's credentials", () => {
  const site = () =>
    httpSite((incoming, response) => {
      if (incoming.url === "/") response.end("hello");
      else response.writeHead(407, incoming.url === "/named" ? { "Proxy-Authenticate": "Basic" } : {}).end();
    });

  test.each([
    ["without a scheme, as a proxy passes it on", ["/bare"]],
    ["with a scheme, in the first response of all", ["/named"]],
    ["after the proxy has accepted its own", ["/", "/named"]],
  ])("%s, is told as such", async (_, paths) => {
    const { asked, url } = await upstreamTo(await site());
    const egress = await egressFor({ upstream: { url, name }, lookup: publicLookup });
    const answers = [];
    for (const path of paths) answers.push(await get(egress, `http://shop.test${path}`));
    expect(answers.at(-1)).toMatchObject({
      status: 502,
      body: "shop.test:80 gave an answer that only a proxy may give\n",
    });
    expect(egress.proxyFault("http://shop.test/")).toBeNull();
    expect(asked.at(-1)).toBe("CONNECT shop.test:80");
  });

  test("a password that the proxy no longer accepts is still told as the proxy's", async () => {
    const { accepts, url } = await upstreamTo(await site());
    const egress = await egressFor({ upstream: { url, name }, lookup: publicLookup });
    expect((await get(egress, "http://shop.test/")).body).toBe("hello");
    accepts.authorization = "Basic changed";
    expect((await get(egress, "http://shop.test/")).body).toBe(`${name} refused its credentials\n`);
    expect(egress.proxyFault("http://shop.test/")).toEqual({ transient: false });
  });
});

test.each([
  [
    "refuses",
    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n",
    502,
    "the proxy answered 503 for shop.test:443",
  ],
  ["hangs up", "", 502, "The connection to the residential proxy for Peru failed: ECONNRESET"],
  ["talks nonsense", "nonsense\r\n\r\n", 502, "the residential proxy for Peru does not answer in valid HTTP"],
])("an upstream proxy that %s", async (_name, bytes, status, message) => {
  const front = await tcpSite((socket) => void socket.once("data", () => socket.end(bytes)));
  const egress = await egressFor({ upstream: { url: `http://${front.host}`, name }, lookup: publicLookup });
  expect((await tunnel(egress, "shop.test:443")).status).toBe(status);
  expect(egress.failureOf("https://shop.test/")).toBe(message);
  await eventually(() => front.open.size === 0);
});

test("an upstream proxy that never answers", async () => {
  const front = await tcpSite((socket) => void socket.resume());
  const egress = await egressFor({
    upstream: { url: `http://${front.host}`, name },
    lookup: publicLookup,
    limits: { connectMs: 30 },
  });
  expect((await tunnel(egress, "shop.test:443")).status).toBe(504);
  await eventually(() => front.open.size === 0);
});

test("an upstream proxy that is not there", async () => {
  const front = await tcpSite((socket) => void socket.resume());
  await closeAll();
  const egress = await egressFor({ upstream: { url: `http://${front.host}`, name }, lookup: publicLookup });
  expect(await get(egress, "http://shop.test/")).toMatchObject({
    status: 502,
    body: "The connection to the residential proxy for Peru failed: ECONNREFUSED\n",
  });
});

test.each([
  "socks5://user:hunter2@127.0.0.1:1080",
  "https://user:hunter2@proxy.test/path",
  "user:hunter2@proxy",
])("an address that is no http proxy is refused without repeating it", async (url) => {
  const error = await startEgress({ allowHosts: [], upstream: { url, name } }).catch((caught) => caught);
  expect(error.message).toBe("The upstream proxy's address must be an http:// or https:// URL");
  expect(JSON.stringify(error)).not.toContain("hunter2");
});

describe("a proxy that is spoken to in TLS", () => {
  const trusted = getCACertificates();
  afterEach(() => setDefaultCACertificates(trusted));

  const through = async () => {
    const site = await httpSite((_request, response) => response.end("hello"));
    const proxy = await startUpstreamProxy({
      user: "user",
      password: "p@ss",
      hosts: { "shop.test": site.host },
      secure: true,
    });
    onClose(proxy.close);
    // Its certificate is for that name; no resolver knows it.
    const url = `https://user:p%40ss@proxy.test:${proxy.host.split(":")[1]}`;
    const lookup: Lookup = async (host) =>
      host === "proxy.test" ? [{ address: "127.0.0.1", family: 4 }] : [{ address: "8.8.8.8", family: 4 }];
    return { site, proxy, egress: await egressFor({ upstream: { url, name }, lookup }) };
  };

  test("carries requests and tunnels", async () => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    const { proxy, egress } = await through();
    expect(await get(egress, "http://shop.test/")).toMatchObject({ status: 200, body: "hello" });
    const { status, socket } = await tunnel(egress, "shop.test:443");
    expect(status).toBe(200);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write("GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n");
    await eventually(() => received.endsWith("hello\r\n0\r\n\r\n") || received.endsWith("hello"));
    expect(proxy.asked).toEqual([
      "CONNECT shop.test:80",
      "GET http://shop.test:80/",
      "CONNECT shop.test:443",
    ]);
  });

  test("is not told a password unless it shows a certificate for its name", async () => {
    const { proxy, egress } = await through();
    for (const path of ["http://shop.test/", "https://shop.test/"]) {
      const reached = path.startsWith("https") ? tunnel(egress, "shop.test:443") : get(egress, path);
      expect((await reached).status).toBe(502);
      expect(egress.failureOf(path)).toBe(
        "The connection to the residential proxy for Peru failed: DEPTH_ZERO_SELF_SIGNED_CERT",
      );
      expect(egress.proxyFault(path)).toEqual({ transient: true });
    }
    expect(proxy.asked).toEqual([]);
  });
});

test.each([
  ["is not found", async () => [], "the residential proxy for Peru was not found"],
  [
    "is not found in time",
    () => new Promise<never>(() => {}),
    "the residential proxy for Peru did not answer in time",
  ],
])("an upstream proxy whose name %s is told without that name", async (_, proxyLookup, message) => {
  const lookup: Lookup = async (host) => (host === "rented.test" ? proxyLookup() : publicLookup(host));
  const upstream = { url: "http://user:hunter2@rented.test:8000", name };
  const egress = await egressFor({ upstream, lookup, limits: { connectMs: 30 } });
  expect((await tunnel(egress, "shop.test:443")).status).toBe(502);
  expect(egress.failureOf("https://shop.test/")).toBe(message);
});
