import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, expect, test } from "@jest/globals";
import { startEgress } from "../../../../functions/egress/proxy/start-egress.ts";
import { BrowserRequired, createHttpClient } from "../../../../functions/scraping/http/http-client.ts";
import { startSite } from "../../../site/site.ts";

/* Pages that are fetched without the browser. */

const site = await startSite();
const egress = await startEgress({ allowHosts: [site.host] });
const client = createHttpClient(egress.proxyUrl);
afterAll(async () => {
  client.close();
  await egress.close();
  await site.close();
});
const get = (path: string, timeoutMs = 10_000) => client.get(site.url(path), { "X-Test": "1" }, timeoutMs);

test("an answer with its headers and cookies", async () => {
  let asked: IncomingMessage | undefined;
  site.setRoute("/page", (request, response) => {
    asked = request;
    response
      .writeHead(203, { "content-type": "text/html", "set-cookie": ["a=1; Path=/", "b=2"] })
      .end("<p>é");
  });
  const { status, headers, cookies, body } = await get("/page");
  expect({ status, cookies, body: String(body) }).toEqual({
    status: 203,
    cookies: ["a=1; Path=/", "b=2"],
    body: "<p>é",
  });
  expect(headers["content-type"]).toBe("text/html");
  expect(asked?.headers).toMatchObject({ "x-test": "1", host: site.host });
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
])("an answer that is compressed by %s", async (encoding, compress) => {
  site.setRoute(`/${encoding}`, (_, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(compress("x".repeat(1_000)));
  });
  expect(String((await get(`/${encoding}`)).body)).toBe("x".repeat(1_000));
});

test("takes an answer with two encodings, and none with more", async () => {
  const layered = (layers: number) => (_: unknown, response: ServerResponse) => {
    let body = Buffer.from("x".repeat(1_000));
    for (let layer = 0; layer < layers; layer += 1) body = gzipSync(body);
    response.writeHead(200, { "content-encoding": Array(layers).fill("gzip").join(", ") }).end(body);
  };
  for (const layers of [2, 3, 800]) site.setRoute(`/layers/${layers}`, layered(layers));
  expect(String((await get("/layers/2")).body)).toBe("x".repeat(1_000));
  for (const layers of [3, 800]) await expect(get(`/layers/${layers}`)).rejects.toThrow(BrowserRequired);
});

test("the time limit includes the decoding", async () => {
  // Two million members of nothing: they arrive at once, but take seconds to decode.
  const body = gzipSync(Buffer.concat(Array(2_000_000).fill(gzipSync(Buffer.alloc(0)))));
  site.setRoute("/slow", (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(body);
  });
  await expect(get("/slow", 200)).rejects.toThrow(BrowserRequired);
});

test("keeps connections open", async () => {
  const ports = new Set<number | undefined>();
  site.setRoute("/kept", (request, response) => {
    ports.add(request.socket.remotePort);
    response.end("x");
  });
  for (let count = 0; count < 5; count += 1) await get("/kept");
  expect(ports.size).toBe(1);
});

test("does not follow redirects", async () => {
  site.setRedirect("/from", "/to");
  expect(await get("/from")).toMatchObject({ status: 302, headers: { location: "/to" } });
  expect(site.requests).not.toContain("/to");
});

test("takes no answer that is cut off, damaged, unknown or too large", async () => {
  site.setRoute("/cut", (_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("x", () => response.destroy());
  });
  site.setRoute(
    "/damaged",
    (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
  );
  site.setRoute(
    "/unknown",
    (_, response) => void response.writeHead(200, { "content-encoding": "x" }).end("x"),
  );
  site.setRoute("/large", (_, response) => void response.end(Buffer.alloc(9 * 1024 ** 2)));
  site.setRoute("/bomb", (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(9 * 1024 ** 2)));
  });
  for (const path of ["/cut", "/damaged", "/unknown", "/large", "/bomb"])
    await expect(get(path)).rejects.toThrow("complete answer");
});

test("does not wait for an answer that does not come", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  site.setRoute("/never", (request) => {
    once(request.socket, "close").then(close);
  });
  await expect(get("/never", 1_000)).rejects.toThrow("complete answer");
  await closed;
});

test("reaches no address that the egress policy refuses", async () => {
  const inner = await startSite();
  inner.setRoute("/", "inner");
  const answer = await client.get(inner.url("/"), {}, 10_000);
  expect(answer.status).toBe(403);
  expect(inner.requests).toEqual([]);
  await inner.close();
});
