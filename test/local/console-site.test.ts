import { gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { createConsoleSite, once } from "../../local/http/console-site.ts";

const files = new Map([
  ["index.html", Buffer.from("<!doctype html><title>Console</title>")],
  ["assets/main-AAAA1111.js", Buffer.from("main()")],
]);
const site = createConsoleSite(async () => files);

async function bodyOf(answer: Awaited<ReturnType<typeof site.answer>>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync((answer?.body ?? []) as AsyncIterable<Buffer>));
}

test("answers for its own addresses, and leaves all others to the API", async () => {
  const html = { accept: "text/html" };
  for (const path of ["/", "/runs", "/runs/1", "/scrapers/1/definition", "/settings", "/record"]) {
    expect(await site.answer("GET", path, {})).toMatchObject({ statusCode: 200 });
  }
  expect(await site.answer("GET", "/typo", html)).toMatchObject({ statusCode: 404 });
  for (const path of ["/typo", "/runsx", "/assets/index.html", "/assets/../index.html", "/index.html"]) {
    expect(await site.answer("GET", path, {})).toBeUndefined();
  }
  for (const path of ["/v1/nothing", "/v1", "//v1/runs"])
    expect(await site.answer("GET", path, html)).toBeUndefined();
  expect(await site.answer("POST", "/", {})).toBeUndefined();
  expect(await site.answer("HEAD", "/", {})).toMatchObject({ statusCode: 200 });
});

test("compresses for those who take it", async () => {
  const plain = await site.answer("GET", "/assets/main-AAAA1111.js", {});
  expect(plain?.headers).not.toHaveProperty("content-encoding");
  expect((await bodyOf(plain)).toString()).toBe("main()");
  const packed = await site.answer("GET", "/assets/main-AAAA1111.js", { "accept-encoding": "gzip, br" });
  expect(packed?.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  const body = await bodyOf(packed);
  expect(packed?.headers["content-length"]).toBe(String(body.byteLength));
  expect(gunzipSync(body).toString()).toBe("main()");
});

test("tells the console about the service, without markup in it", async () => {
  const facts = { exampleUrl: 'http://127.0.0.1:4101/books?"><script>', proxies: ["datacenter"] };
  const page = await bodyOf(await createConsoleSite(async () => files, facts).answer("GET", "/", {}));
  expect(page.toString()).toContain(
    '<meta name="gleaner-service" content="{&quot;exampleUrl&quot;:&quot;http://127.0.0.1:4101/books?\\&quot;>&lt;script>&quot;,&quot;proxies&quot;:[&quot;datacenter&quot;]}">',
  );
});

test("loads its files once, and again after a failure", async () => {
  let calls = 0;
  const load = once(async () => {
    calls += 1;
    if (calls === 1) throw new Error("no disk");
    return calls;
  });
  await expect(load()).rejects.toThrow("no disk");
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
});
