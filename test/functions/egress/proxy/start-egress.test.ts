import type { LookupAddress } from "node:dns";
import { Agent } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { keepLookups, type Lookup, resolveChecked } from "../../../../functions/egress/connect/resolve.ts";
import { fc, tries } from "../../../fast-check.ts";
import {
  client,
  closeAll,
  egressFor,
  eventually,
  exchange,
  get,
  httpSite,
  once,
  tcpSite,
  tunnel,
} from "../loopback.ts";

afterEach(closeAll);

const hello = () => httpSite((request, response) => response.end(`hello ${request.url}`));
const ipv4 = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: 4 }));

describe("what is refused", () => {
  const hosts = [
    ...[
      "127.0.0.1",
      "localhost",
      "localhost.",
      "a.b.localhost",
      "0.0.0.0",
      "0",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
    ],
    ...["127.0.0.1.", "10.0.0.1", "169.254.169.254", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]"],
    ...[
      "[64:ff9b::7f00:1]",
      "[fd00:ec2::254]",
      "[fe80::1]",
      "[2002:7f00:1::]",
      "１２７.0.0.1",
      "%31%32%37.0.0.1",
    ],
  ];

  test.each(hosts)("a request to %s", async (host) => {
    const egress = await egressFor();
    const answer = await exchange(
      egress,
      Buffer.from(`GET http://${host}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, "latin1"),
    );
    // Node's parser takes no raw Unicode in a request line; browsers send punycode and digits.
    expect(answer).toMatch(/[^\0-\xff]/.test(host) ? /^HTTP\/1\.1 (400|403) / : /^HTTP\/1\.1 403 /);
    if (/[^\0-\xff]/.test(host)) return;
    expect(answer).toContain("Proxy-Status: gleaner; error=destination_ip_prohibited");
    expect(egress.wasRefused(`http://${host}/any?path`)).toBe(true);
    expect(egress.refusalAdvice(`http://${host}/any?path`)).toBeNull();
  });

  test.each(hosts.filter((host) => !/[^\0-\xff]/.test(host)))("a tunnel to %s", async (host) => {
    const egress = await egressFor();
    expect((await tunnel(egress, `${host}:443`)).status).toBe(403);
    expect(egress.wasRefused(`https://${host}/`)).toBe(true);
    expect(egress.wasRefused(`wss://${host}/`)).toBe(true);
    expect(egress.wasRefused(`http://${host}/`)).toBe(false);
  });

  test("ports, without a look-up", async () => {
    const lookup = jest.fn<Lookup>();
    const egress = await egressFor({ lookup });
    for (const port of [22, 25, 9001]) {
      expect(await get(egress, `http://shop.test:${port}/`)).toMatchObject({
        status: 403,
        body: `shop.test:${port} can't be reached: port ${port} is not allowed\n`,
      });
      expect((await tunnel(egress, `shop.test:${port}`)).status).toBe(403);
    }
    expect(lookup).not.toHaveBeenCalled();
  });

  test("names by what they resolve to, which is not told", async () => {
    const egress = await egressFor({ lookup: async () => ipv4("10.11.12.13") });
    const { status, body, rawHeaders } = await get(egress, "http://inside.test/");
    expect(status).toBe(403);
    expect(body).toBe("inside.test:80 can't be reached: it is not a public address\n");
    expect(`${body}${rawHeaders}`).not.toContain("10.11");
    const { head } = await tunnel(egress, "inside.test:443");
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
    expect(head).not.toContain("10.11");
    expect(egress.failureOf("https://inside.test/")).not.toContain("10.11");
  });

  test("a name with one private address among public ones", async () => {
    const egress = await egressFor({ lookup: async () => ipv4("8.8.8.8", "127.0.0.1") });
    expect((await get(egress, "http://mixed.test/")).status).toBe(403);
  });

  test("a redirect to the inside, which is a request like any other", async () => {
    const inside = await hello();
    const site = await httpSite((_request, response) => {
      response.writeHead(302, { Location: `http://${inside.host}/secret` }).end();
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const { headers } = await get(egress, `http://${site.host}/`);
    expect((await get(egress, headers.location as string)).status).toBe(403);
    expect(egress.wasRefused(headers.location as string)).toBe(true);
    expect(inside.accepted).toBe(0);
  });

  test("the proxy itself, even where the operator allows its port", async () => {
    const allowHosts = Array.from({ length: 65_535 }, (_, i) => `127.0.0.1:${i + 1}`);
    // Any port may become the proxy's.
    const egress = await egressFor({ allowHosts });
    const own = new URL(egress.proxyUrl).host;
    expect(await get(egress, `http://${own}/`)).toMatchObject({ status: 403 });
    expect((await tunnel(egress, own)).status).toBe(403);
  });

  test("is remembered for a bounded number of hosts, the latest", async () => {
    const egress = await egressFor();
    const socket = await client(egress);
    // A status line may arrive in two pieces.
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    for (let i = 0; i < 1_100; i++) {
      socket.write(`GET http://10.0.${i >> 8}.${i & 255}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await eventually(() => received.split("HTTP/1.1 403").length - 1 === 1_100);
    expect(egress.wasRefused("http://10.0.0.99/")).toBe(false);
    expect(egress.wasRefused("http://10.0.0.100/")).toBe(true);
    expect(egress.wasRefused("no url")).toBe(false);
  });
});

describe("names", () => {
  test("a connection goes to the address that was checked, though the name's answer changes meanwhile", async () => {
    const outside = await httpSite((_request, response) => response.end("outside"));
    const inside = await httpSite((_request, response) => response.end("inside"), "127.0.0.2", outside.port);
    const lookup = jest
      .fn<Lookup>()
      .mockResolvedValueOnce(ipv4("127.0.0.1"))
      .mockResolvedValue(ipv4("127.0.0.2"));
    const name = `rebinding.test:${outside.port}`;
    const egress = await egressFor({ allowHosts: [name], lookup });
    for (let i = 0; i < 3; i++)
      expect(await get(egress, `http://${name}/`)).toMatchObject({ body: "outside" });
    const { socket } = await tunnel(egress, name);
    const answered = new Promise((resolve) => socket.once("data", (data) => resolve(data.toString())));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await answered).toMatch(/outside$/);
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(inside.accepted).toBe(0);
  });

  test("an answer that becomes private is refused when the next connection is opened", async () => {
    const lookup = jest
      .fn<Lookup>()
      .mockResolvedValueOnce(ipv4("8.8.8.8"))
      .mockResolvedValue(ipv4("127.0.0.1"));
    const kept = keepLookups(lookup);
    const target = { host: "rebinding.test", port: 80, name: "rebinding.test:80", exempt: false };
    expect(await resolveChecked(target, kept, 1_000)).toEqual(ipv4("8.8.8.8"));
    expect(await resolveChecked(target, kept, 1_000)).toEqual(ipv4("8.8.8.8"));
    const clock = jest.spyOn(Date, "now").mockReturnValue(Date.now() + 31_000);
    await expect(resolveChecked(target, kept, 1_000)).rejects.toMatchObject({ code: "blocked_address" });
    clock.mockRestore();
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  test.each([
    [
      "that are not found",
      async () => Promise.reject(new Error("ENOTFOUND")),
      502,
      "The name dead.test was not found\n",
    ],
    ["without addresses", async () => [], 502, "The name dead.test was not found\n"],
    [
      "that take too long",
      () => new Promise<never>(() => {}),
      504,
      "The name dead.test was not resolved in time\n",
    ],
  ])("%s", async (_name, lookup, status, body) => {
    const egress = await egressFor({ lookup, limits: { connectMs: 20 } });
    expect(await get(egress, "http://dead.test/")).toMatchObject({ status, body });
    expect((await tunnel(egress, "dead.test:443")).status).toBe(status);
    expect(egress.wasRefused("http://dead.test/")).toBe(false);
    expect(egress.failureOf("https://dead.test/")).toBe(body.trim());
  });
});

describe("tunnels", () => {
  const echo = () => tcpSite((socket) => void socket.pipe(socket));

  test("carry bytes both ways, also those sent along with the CONNECT", async () => {
    const site = await echo();
    const egress = await egressFor({ allowHosts: [site.host] });
    const socket = await client(egress);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(`CONNECT ${site.host} HTTP/1.1\r\nHost: a\r\n\r\nearly `);
    await eventually(() => received.endsWith("early "));
    socket.write("late");
    await eventually(() => received.endsWith("early late"));
    expect(received).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nearly late$/);
  });

  test("carry a lot", async () => {
    const site = await tcpSite((socket) => socket.end(Buffer.alloc(20_000_000, "x")));
    const egress = await egressFor({ allowHosts: [site.host] });
    const { socket } = await tunnel(egress, site.host);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    await once(socket, "close");
    expect(received).toBeGreaterThan(19_900_000);
  });

  test.each(["client", "site"])("end on both sides when the %s goes away", async (who) => {
    const site = await echo();
    const egress = await egressFor({ allowHosts: [site.host] });
    const { socket } = await tunnel(egress, site.host);
    const closed = once(socket, "close");
    if (who === "client") socket.destroy();
    else for (const open of site.open) open.destroy();
    await closed;
    await eventually(() => site.open.size === 0);
  });

  test("end when nothing comes for a while", async () => {
    const site = await echo();
    const egress = await egressFor({ allowHosts: [site.host], limits: { idleMs: 1_000 } });
    const { socket } = await tunnel(egress, site.host);
    await once(socket, "close");
    await eventually(() => site.open.size === 0);
  });

  test("nobody listens", async () => {
    const site = await echo();
    await closeAll();
    const egress = await egressFor({ allowHosts: [site.host] });
    const { status, head } = await tunnel(egress, site.host);
    expect(status).toBe(502);
    expect(head).toContain("Proxy-Status: gleaner; error=");
    expect(egress.failureOf(`http://${site.host}/`)).toBe(
      `The connection to ${site.host} failed: ECONNREFUSED`,
    );
  });

  test.each(["example.com", "example.com:", ":443", "a@b:443/x", "http://8.8.8.8/", "[::1:443", "a:123456"])(
    "CONNECT %s is malformed",
    async (authority) => {
      const egress = await egressFor();
      expect((await tunnel(egress, authority)).status).toBe(400);
    },
  );
});

describe("limits", () => {
  const sized = (bytes: number) => httpSite((_request, response) => response.end(Buffer.alloc(bytes)));

  test("bytes of a response", async () => {
    const site = await sized(3_000_000);
    const egress = await egressFor({ allowHosts: [site.host], limits: { responseBytes: 1_000_000 } });
    await expect(get(egress, `http://${site.host}/`)).rejects.toThrow();
    expect(egress.limitExceeded()).toBe(`A response of ${site.host} is larger than 0.954 MB`);
    await eventually(() => site.open.size === 0);
  });

  test("bytes of a run, in requests and tunnels together", async () => {
    const site = await sized(400_000);
    const egress = await egressFor({ allowHosts: [site.host], limits: { runBytes: 1_000_000 } });
    const url = `http://${site.host}/`;
    await get(egress, url);
    await get(egress, url);
    expect(egress.limitExceeded()).toBeNull();
    const { socket } = await tunnel(egress, site.host);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "close");
    expect(egress.limitExceeded()).toBe("The run sent and received more than 0.954 MB");
    expect(await get(egress, url)).toMatchObject({
      status: 403,
      body: "The run sent and received more than 0.954 MB\n",
    });
    expect((await tunnel(egress, site.host)).status).toBe(403);
    expect(egress.wasRefused(url)).toBe(false);
  });

  test.each(["with a length", "in chunks"])("bytes of a run that it uploads %s", async (how) => {
    const site = await httpSite((request, response) => {
      request.resume();
      request.on("end", () => response.end("done"));
    });
    const egress = await egressFor({ allowHosts: [site.host], limits: { runBytes: 1_000_000 } });
    const headers: Record<string, string> =
      how === "in chunks" ? { "Transfer-Encoding": "chunked" } : { "Content-Length": "60000000" };
    const url = `http://${site.host}/`;
    const answer = await get(egress, url, { method: "POST", headers, body: "x".repeat(60_000_000) }).catch(
      () => undefined,
    );
    expect(answer?.status ?? 403).toBe(403);
    expect(egress.limitExceeded()).toBe("The run sent and received more than 0.954 MB");
    await eventually(() => site.open.size === 0);
    expect(site.received).toBeLessThan(10_000_000);
  });

  test("bytes of a run in the headers of its requests", async () => {
    const site = await hello();
    const egress = await egressFor({ allowHosts: [site.host], limits: { runBytes: 200_000 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { "X-Long": "x".repeat(10_000) };
    const statuses = [];
    for (let i = 0; i < 30; i++) {
      // The response during which the limit is exceeded is cut off.
      const answer = await get(egress, `http://${site.host}/`, { agent, headers }).catch(() => undefined);
      statuses.push(answer?.status);
    }
    agent.destroy();
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(403);
  });

  test("bytes that a tunnel carries out, those sent along with the CONNECT too", async () => {
    const site = await tcpSite((socket) => void socket.resume());
    const egress = await egressFor({ allowHosts: [site.host], limits: { runBytes: 50_000 } });
    const socket = await client(egress);
    socket.resume();
    const closed = once(socket, "close");
    socket.write(`CONNECT ${site.host} HTTP/1.1\r\nHost: a\r\n\r\n${"x".repeat(60_000)}`);
    await eventually(() => site.accepted === 1);
    socket.write("x");
    await closed;
    expect(egress.limitExceeded()).toBe("The run sent and received more than 0.0477 MB");
  });

  /** A site that repeats a text until its connection is closed. */
  const endless = (start: string, text: string, pauseMs: number) =>
    tcpSite((socket) => {
      socket.write(start);
      const timers = [setInterval(() => socket.write(text), pauseMs)];
      socket.on("close", () => timers.forEach(clearInterval));
      socket.resume();
    });
  const EARLY = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";

  test("bytes of informational responses without end", async () => {
    const site = await endless(EARLY, EARLY.repeat(1_000), 1);
    const egress = await egressFor({ allowHosts: [site.host], limits: { runBytes: 1_000_000 } });
    expect(await get(egress, `http://${site.host}/`)).toMatchObject({ status: 403 });
    await eventually(() => site.open.size === 0);
  });

  test("the time until a final response comes, whatever comes before it", async () => {
    const site = await endless(EARLY, EARLY, 5);
    const egress = await egressFor({ allowHosts: [site.host], limits: { idleMs: 1_000 } });
    expect(await get(egress, `http://${site.host}/`)).toMatchObject({
      status: 504,
      body: `${site.host} did not answer in time\n`,
    });
    await eventually(() => site.open.size === 0);
  });

  test("the time until an upstream proxy opens a tunnel, however slowly it answers", async () => {
    const site = await endless("HTTP/1.1 200 OK\r\nX-Slow: ", "x", 5);
    const upstream = { url: `http://${site.host}`, name: "the proxy" };
    const lookup: Lookup = async () => ipv4("8.8.8.8");
    const egress = await egressFor({ upstream, lookup, limits: { connectMs: 300 } });
    expect((await tunnel(egress, "shop.test:443")).status).toBe(504);
    await eventually(() => site.open.size === 0);
  });

  test("requests of a run", async () => {
    const site = await hello();
    const egress = await egressFor({ allowHosts: [site.host], limits: { requests: 2 } });
    const url = `http://${site.host}/`;
    for (const status of [200, 200, 403, 403]) expect(await get(egress, url)).toMatchObject({ status });
    expect(egress.limitExceeded()).toBe("The run made more than 2 requests");
    expect(site.accepted).toBe(1);
  });
});

describe("a server that does not answer can be given up", () => {
  test("for one address", async () => {
    const waiting: string[] = [];
    const site = await httpSite((request) => void waiting.push(request.url as string));
    const egress = await egressFor({ allowHosts: [site.host] });
    const url = (path: string) => `http://${site.host}${path}`;
    const given = get(egress, url("/a.js?v=1"));
    const kept = get(egress, url("/b.js"));
    kept.catch(() => {});
    await eventually(() => waiting.length === 2);
    egress.giveUp(url("/a.js"));
    expect(await given).toMatchObject({ status: 504, body: `${site.host} did not answer in time\n` });
    await eventually(() => site.open.size === 1);
  });

  test("for a host whose requests are encrypted", async () => {
    const site = await tcpSite((socket) => void socket.resume());
    const egress = await egressFor({ allowHosts: [site.host] });
    const { socket } = await tunnel(egress, site.host);
    const closed = once(socket, "close");
    egress.giveUp("https://127.0.0.1:1/a.js");
    egress.giveUp(`https://${site.host}/a.js`);
    await closed;
    await eventually(() => site.open.size === 0);
  });
});

describe("close", () => {
  test("ends every connection, whatever it is doing", async () => {
    const never = await httpSite(() => {});
    const half = await httpSite((_request, response) => void response.write("half"));
    const site = await hello();
    const raw = await tcpSite((socket) => void socket.resume());
    const lookup = () => new Promise<never>(() => {});
    const egress = await egressFor({ allowHosts: [never, half, site, raw].map(({ host }) => host), lookup });
    const clients: Socket[] = [];
    for (const url of [
      `http://${never.host}/`,
      `http://${half.host}/`,
      `http://${site.host}/`,
      "http://slow.test/",
    ]) {
      const socket = await client(egress);
      socket.write(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
      clients.push(socket);
    }
    const slow = await client(egress);
    slow.write("CONNECT slow.test:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    clients.push(await client(egress), slow, (await tunnel(egress, raw.host)).socket);
    for (const socket of clients) socket.resume();
    await eventually(() => [never, half, site, raw].every(({ open }) => open.size === 1));

    const closed = clients.map((socket) => once(socket, "close"));
    await egress.close();
    await Promise.all(closed);
    await eventually(() => [never, half, site, raw].every(({ open }) => open.size === 0));
    await expect(get(egress, `http://${site.host}/`)).rejects.toThrow(/ECONNREFUSED/);
    await egress.close();
  });
});

test("garbage never ends the proxy or leaves a connection open", async () => {
  const site = await hello();
  const egress = await egressFor({ allowHosts: [site.host] });
  const piece = fc.oneof(
    fc.constantFrom(
      "GET ",
      "CONNECT ",
      "POST ",
      "HEAD ",
      " HTTP/1.1",
      "\r\n",
      "\n",
      "\0",
      "\r\n\r\n",
      ":",
      "0\r\n\r\n",
    ),
    fc.constantFrom(
      "Content-Length: 5",
      "Transfer-Encoding: chunked",
      "Connection: upgrade",
      "Upgrade: websocket",
    ),
    fc.constantFrom("Host: a", "Expect: 100-continue", "Expect: x", "http://10.0.0.1/", "Content-Length: -1"),
    fc.constant(`http://${site.host}/`),
    fc.constant(site.host),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, polite) => {
      const socket = await client(egress);
      const closed = once(socket, "close");
      socket.resume();
      socket.write(pieces.join(""), "latin1");
      if (polite) socket.end();
      else setImmediate(() => socket.destroy());
      await closed;
    }),
    tries(300),
  );
  expect(await get(egress, `http://${site.host}/still`)).toMatchObject({ status: 200, body: "hello /still" });
});
