import { Agent } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
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
} from "../loopback.ts";

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
let timersBefore: number;
beforeEach(() => {
  timersBefore = timers();
});
afterEach(async () => {
  await closeAll();
  // Nobody waits any more for what will not come.
  await eventually(() => timers() <= timersBefore);
});

/** A site that tells what it got. */
const echo = () =>
  httpSite((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, url, rawHeaders } = request;
      response.end(JSON.stringify({ method, url, rawHeaders, body }));
    });
  });

/** A site that answers each request with these bytes, on a connection that stays open. */
const canned = (answer: string) =>
  tcpSite((socket) => {
    socket.on("data", () => socket.write(answer, "latin1"));
  });

test("passes a request on as it is, in the origin's form and with the address's own Host", async () => {
  const site = await echo();
  const egress = await egressFor({ allowHosts: [site.host] });
  const { status, body } = await get(egress, `http://${site.host}/a/b?c=d%20e`, {
    headers: { Host: "other.test", "X-Case": "Kept", Cookie: "a=b", "Accept-Encoding": "gzip" },
  });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({
    method: "GET",
    url: "/a/b?c=d%20e",
    rawHeaders: [
      ...["Host", site.host, "X-Case", "Kept", "Cookie", "a=b", "Accept-Encoding", "gzip"],
      ...["Connection", "keep-alive"],
    ],
    body: "",
  });
});

test("passes an answer back as it is", async () => {
  const site = await canned(
    "HTTP/1.1 203 Quite so\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Latin: \xe9\r\nContent-Length: 2\r\n\r\nhi",
  );
  const egress = await egressFor({ allowHosts: [site.host] });
  const answer = await get(egress, `http://${site.host}/`);
  expect(answer).toMatchObject({ status: 203, body: "hi" });
  expect(answer.rawHeaders.slice(0, 8)).toEqual([
    ...["Set-Cookie", "a=1", "set-cookie", "b=2", "X-Latin", "\xe9", "Content-Length", "2"],
  ]);
  expect(answer.headers).not.toHaveProperty("date");
});

describe("bodies", () => {
  test.each([
    ["with a length", { "Content-Length": "5" }],
    ["in chunks", { "Transfer-Encoding": "chunked" }],
    ["with Expect", { "Content-Length": "5", Expect: "100-continue" }],
  ])("%s", async (_name, headers) => {
    const site = await echo();
    const egress = await egressFor({ allowHosts: [site.host] });
    for (const method of ["POST", "PUT", "GET", "DELETE"]) {
      const { body } = await get(egress, `http://${site.host}/`, {
        method,
        headers: headers as never,
        body: "hello",
      });
      const seen = JSON.parse(body);
      expect(seen).toMatchObject({ method, body: "hello" });
      expect(seen.rawHeaders.map((text: string) => text.toLowerCase())).not.toContain("expect");
    }
  });

  test("none for HEAD, 204 and 304, on a connection that goes on", async () => {
    const site = await httpSite((request, response) => {
      response.statusCode = Number(request.url?.slice(1));
      if (request.url === "/200") response.setHeader("Content-Length", 4);
      response.end(request.method === "HEAD" || request.url !== "/200" ? undefined : "body");
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = `http://${site.host}`;
    expect(await get(egress, `${url}/200`, { agent, method: "HEAD" })).toMatchObject({
      status: 200,
      body: "",
    });
    expect(await get(egress, `${url}/204`, { agent })).toMatchObject({ status: 204, body: "" });
    expect(await get(egress, `${url}/304`, { agent })).toMatchObject({ status: 304, body: "" });
    expect(await get(egress, `${url}/200`, { agent })).toMatchObject({ status: 200, body: "body" });
    agent.destroy();
    expect(site.accepted).toBe(1);
  });

  test("an answer before the whole body came ends the exchange, and the connection serves the next", async () => {
    const site = await httpSite((_request, response) =>
      response.writeHead(413, { Connection: "close" }).end("no"),
    );
    const egress = await egressFor({ allowHosts: [site.host] });
    const socket = await client(egress);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(`POST http://${site.host}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n`);
    await eventually(() => received.includes("413"));
    socket.write(Buffer.alloc(300_000, "x"));
    socket.write("GET http://10.0.0.1/ HTTP/1.1\r\nHost: a\r\n\r\n");
    await eventually(() => received.includes("403"));
  });
});

test("what belongs to one connection stays there, in both directions", async () => {
  const site = await canned(
    "HTTP/1.1 200 OK\r\nConnection: X-Secret, close\r\nX-Secret: 1\r\nKeep-Alive: timeout=1\r\nUpgrade: h2c\r\n" +
      "Proxy-Authenticate: Basic\r\nProxy-Status: gleaner; error=dns_error\r\nX-Kept: 1\r\nContent-Length: 0\r\n\r\n",
  );
  const egress = await egressFor({ allowHosts: [site.host] });
  const answer = await get(egress, `http://${site.host}/`);
  const names = answer.rawHeaders.filter((_, i) => i % 2 === 0);
  expect(names).toEqual(["X-Kept", "Content-Length", "Connection", "Keep-Alive"]);

  const echoing = await echo();
  const second = await egressFor({ allowHosts: [echoing.host] });
  const { body } = await get(second, `http://${echoing.host}/`, {
    headers: {
      ...{ Connection: "keep-alive, X-Hop", "X-Hop": "1", "X-Kept": "1", "Proxy-Connection": "keep-alive" },
      ...{
        "Proxy-Authorization": "Basic eDp5",
        TE: "trailers",
        Upgrade: "websocket",
        "Keep-Alive": "timeout=9",
      },
    },
  });
  expect(JSON.parse(body).rawHeaders).toEqual([
    ...["Host", echoing.host, "X-Kept", "1", "Connection", "keep-alive"],
  ]);
});

describe("no request can be smuggled in another", () => {
  /** Requests that the site got, one to an element. */
  async function seenBySite(bytes: (host: string) => string): Promise<{ seen: string[]; answered: string }> {
    const seen: string[] = [];
    const site = await httpSite((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume();
      request.on("end", () => response.end("ok"));
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    return { answered: await exchange(egress, bytes(site.host)), seen };
  }

  const inner = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  test.each([
    ["both lengths", `Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, false],
    ["two lengths", `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n`, false],
    ["a list of lengths", `Content-Length: 0, ${inner.length}\r\n\r\n`, false],
    ["an odd coding", "Transfer-Encoding: xchunked\r\n\r\n", false],
    ["chunked not last", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", false],
    ["a space before the colon", `Content-Length : ${inner.length}\r\n\r\n`, false],
    ["a folded header", `X: a\r\n Content-Length: ${inner.length}\r\n\r\n`, false],
    ["a bare line feed", `X: a\nContent-Length: ${inner.length}\r\n\r\n`, false],
    [
      "a length that Connection names",
      `Connection: content-length\r\nContent-Length: ${inner.length}\r\n\r\n`,
      true,
    ],
  ])("%s", async (_name, headers, passes) => {
    // Where the proxy takes the request, the inner one is its body; where it does not, nothing at all gets through.
    const { seen, answered } = await seenBySite((host) => {
      const first = `GET http://${host}/first HTTP/1.1\r\nHost: a\r\n${headers}${inner}`;
      return passes
        ? `${first}GET http://${host}/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
        : first;
    });
    expect(seen).toEqual(passes ? ["GET /first", "GET /last"] : []);
    expect(answered).toMatch(passes ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 400/);
  });
});

describe("connections", () => {
  test("are kept and used again on both sides", async () => {
    const site = await httpSite((_request, response) => response.end("ok"));
    const egress = await egressFor({ allowHosts: [site.host] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 20; i++) await get(egress, `http://${site.host}/${i}`, { agent });
    agent.destroy();
    expect(site.accepted).toBe(1);
  });

  test("a kept one has as much time for an answer as a new one, however soon the site would have closed it", async () => {
    let slow = false;
    const site = await httpSite((_request, response) => {
      response.setHeader("Keep-Alive", "timeout=2");
      setTimeout(() => response.end("ok"), slow ? 2_200 : 0);
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    await get(egress, `http://${site.host}/`);
    slow = true;
    expect(await get(egress, `http://${site.host}/`)).toMatchObject({ status: 200, body: "ok" });
    expect(site.accepted).toBe(1);
  });

  test("a kept one that the site closed meanwhile costs no request", async () => {
    let requests = 0;
    const site = await tcpSite((socket) => {
      let first = true;
      socket.on("data", () => {
        requests++;
        if (first) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        else socket.destroy();
        first = false;
      });
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    for (let i = 0; i < 5; i++)
      expect(await get(egress, `http://${site.host}/`)).toMatchObject({ body: "ok" });
    // Each request after the first was sent on the kept connection, lost, and sent again on a new one.
    expect(requests).toBe(9);
  });

  test("a browser that goes away takes the site's connection with it", async () => {
    const site = await httpSite((_request, response) => void response.write("first"));
    const egress = await egressFor({ allowHosts: [site.host] });
    const socket = await client(egress);
    socket.write(`GET http://${site.host}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, "data");
    expect(site.open.size).toBe(1);
    socket.destroy();
    await eventually(() => site.open.size === 0);
  });

  test("a browser that goes away before any answer, too", async () => {
    const site = await httpSite(() => {});
    const egress = await egressFor({ allowHosts: [site.host] });
    const socket = await client(egress);
    socket.write(`GET http://${site.host}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    await eventually(() => site.open.size === 1);
    socket.destroy();
    await eventually(() => site.open.size === 0);
  });

  test("an answer that breaks off breaks off for the browser", async () => {
    const site = await tcpSite((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    await expect(get(egress, `http://${site.host}/`)).rejects.toThrow();
  });

  test("an answer without a length ends where the site closes", async () => {
    const site = await tcpSite((socket) => {
      socket.once("data", () => socket.end("HTTP/1.0 200 OK\r\n\r\nall of it"));
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    expect(await get(egress, `http://${site.host}/`)).toMatchObject({ status: 200, body: "all of it" });
  });

  test("an answer with more bytes than it says is passed on as far as it says", async () => {
    const site = await canned("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more");
    const egress = await egressFor({ allowHosts: [site.host] });
    for (let i = 0; i < 3; i++)
      expect(await get(egress, `http://${site.host}/`)).toMatchObject({ status: 200, body: "ok" });
    expect(egress.failureOf(`http://${site.host}/`)).toBeNull();
  });

  test("a slow reader slows the site down", async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const total = 400;
    let written = 0;
    const site = await httpSite((_request, response) => {
      const write = () => {
        while (written < total) {
          written++;
          if (!response.write(chunk)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const socket = await client(egress);
    socket.pause();
    socket.write(`GET http://${site.host}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    // Buffers of sockets fill up, and then nothing more is taken from the site.
    let before = -1;
    while (written !== before || written === 0) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan(total);
    socket.resume();
    await once(socket, "close");
    expect(written).toBe(total);
  });
});

describe("what goes wrong is told in the site's stead", () => {
  test("nobody listens", async () => {
    const site = await httpSite(() => {});
    const egress = await egressFor({ allowHosts: [site.host] });
    await closeAll();
    const second = await egressFor({ allowHosts: [site.host] });
    const answer = await get(second, `http://${site.host}/`);
    expect(answer).toMatchObject({
      status: 502,
      body: `The connection to ${site.host} failed: ECONNREFUSED\n`,
    });
    expect(answer.headers["proxy-status"]).toBe("gleaner; error=connection_terminated");
    expect(second.failureOf(`http://${site.host}/other`)).toBe(
      `The connection to ${site.host} failed: ECONNREFUSED`,
    );
    expect(second.wasRefused(`http://${site.host}/`)).toBe(false);
    expect(egress.failureOf(`http://${site.host}/`)).toBeNull();
  });

  test("a site that never answers", async () => {
    const site = await httpSite(() => {});
    const egress = await egressFor({ allowHosts: [site.host], limits: { idleMs: 1_000 } });
    const answer = await get(egress, `http://${site.host}/`);
    expect(answer).toMatchObject({ status: 504, body: `${site.host} did not answer in time\n` });
    await eventually(() => site.open.size === 0);
  });

  test("a site that breaks the connection off before it answers", async () => {
    const site = await tcpSite((socket) => {
      socket.once("data", () => socket.resetAndDestroy());
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const answer = await get(egress, `http://${site.host}/`);
    expect(answer).toMatchObject({
      status: 502,
      body: `The connection to ${site.host} failed: ECONNRESET\n`,
    });
  });

  test("a failure is forgotten when the host answers", async () => {
    let broken = true;
    const site = await tcpSite((socket) => {
      socket.once("data", () => (broken ? socket.destroy() : socket.end("HTTP/1.1 200 OK\r\n\r\n")));
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const url = `http://${site.host}/`;
    expect((await get(egress, url)).status).toBe(502);
    expect(egress.failureOf(url)).toBe(`${site.host} closed the connection without an answer`);
    broken = false;
    expect((await get(egress, url)).status).toBe(200);
    expect(egress.failureOf(url)).toBeNull();
  });

  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["a status out of range", "HTTP/1.1 999999 Odd\r\n\r\n"],
    ["a status below 100", "HTTP/1.1 001 Odd\r\nContent-Length: 0\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok"],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
    [
      "a proxy's challenge",
      'HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
    ],
    ["headers without end", `HTTP/1.1 200 OK\r\n${`X: ${"y".repeat(1000)}\r\n`.repeat(300)}`],
  ])("a site that answers with %s", async (_name, bytes) => {
    const site = await canned(bytes);
    const egress = await egressFor({ allowHosts: [site.host] });
    const { status, headers } = await get(egress, `http://${site.host}/`);
    expect(status).toBe(502);
    expect(headers).not.toHaveProperty("proxy-authenticate");
    // Not even where it says that it is a proxy.
    expect(egress.proxyFault(`http://${site.host}/`)).toBeNull();
    await eventually(() => site.open.size === 0);
  });

  test.each([
    "/path",
    "*",
    "https://8.8.8.8/",
    "ftp://8.8.8.8/",
    "http://",
    "http://[::1",
    "javascript:1",
    "data:,x",
  ])("a request for %s is no proxy request", async (path) => {
    const egress = await egressFor();
    expect(await exchange(egress, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});
