import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createFileFetcher } from "../../../../functions/egress/requests/fetch-file.ts";
import { type Site, startSite } from "../../../site/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const options = { accept: "text/csv", timeoutMs: 10_000, maxBytes: 1_000 };
const fetchFile = (path: string, other: Partial<typeof options> = {}) =>
  createFileFetcher({ allowHosts: [site.host] })(site.url(path), { ...options, ...other });

test("a file comes decompressed, with the address after redirects", async () => {
  site.setRoute("/words.csv", (request, response) => {
    expect(request.headers.accept).toBe("text/csv");
    response.writeHead(200, { "content-type": "text/csv", "content-encoding": "gzip" });
    response.end(gzipSync("a,b"));
  });
  site.setRoute("/br", (_request, response) => {
    response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("c"));
  });
  site.setRoute("/old", (_request, response) => {
    response.writeHead(302, { location: "words.csv?new" }).end();
  });
  const file = await fetchFile("/old");
  expect(file).toEqual({
    url: site.url("/words.csv?new"),
    status: 200,
    contentType: "text/csv",
    bytes: Buffer.from("a,b"),
  });
  expect((await fetchFile("/br")).bytes.toString()).toBe("c");
  expect(await fetchFile("/missing")).toMatchObject({ status: 404, bytes: Buffer.alloc(0) });
});

test("a file that unpacks to too much ends early", async () => {
  site.setRoute("/bomb", (_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000)));
  });
  await expect(fetchFile("/bomb")).rejects.toMatchObject({ code: "limit_exceeded" });
});

test("no redirect leads to an address that is not public, and a circle of redirects ends", async () => {
  site.setRoute("/inside", (_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:80/" }).end();
  });
  site.setRoute("/file", (_request, response) => {
    response.writeHead(302, { location: "file:///etc/passwd" }).end();
  });
  site.setRoute("/circle", (_request, response) => {
    response.writeHead(302, { location: "/circle" }).end();
  });
  await expect(fetchFile("/inside")).rejects.toMatchObject({ code: "blocked_address" });
  await expect(fetchFile("/file")).rejects.toMatchObject({ code: "bad_request" });
  await expect(fetchFile("/circle")).rejects.toMatchObject({ code: "bad_request" });
});

test("a server that does not answer in time is a time-out", async () => {
  site.setRoute("/silent", () => {});
  await expect(fetchFile("/silent", { timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
});
