import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { startWorld, type World } from "./harness.ts";

/* Requests that no client of good will would send: every answer is in our shape, and none is a fault of ours. */

let world: World;
let key: string;
let scraperId: string;
beforeAll(async () => {
  world = await startWorld();
  key = await world.withTable(async (table) => {
    await createAccount(table, { name: "fuzz", credit_limit: null, rate_limit: 1_000_000, created_at: "" });
    return (await createApiKey(table, "fuzz", new Date())).key;
  });
  const steps = [{ id: "open", type: "visit", url: "http://127.0.0.1:80/" }];
  scraperId = (await world.putScraper({ name: "Fuzz", steps }, "fuzz")).id;
});
afterAll(() => world.stop());

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** By node:http and not by fetch: that one would not let most of it out. */
function send({ method, path, headers, body }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      world.service.url + path,
      { method, headers: { ...headers, "content-length": body.length }, agent: false },
      async (response) => {
        const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const words = fc.constantFrom(
  "scraper_id",
  "steps",
  "rows_limit",
  "webhook_url",
  "__proto__",
  "constructor",
  "id",
  "url",
  "value",
  "open",
  "\u0000",
  "💥",
  "",
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.jsonValue(),
    fc.double(),
    fc.bigInt().map(Number),
    fc.constant("SCRAPER"),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(words, tie("node"), { maxKeys: 5 }),
  ),
})).node;
const json = value.map((content) => JSON.stringify(content) ?? "null");
const nested = fc.integer({ min: 1, max: 50_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth));
const form = fc
  .array(fc.tuple(words, fc.constantFrom("", "[]", "[0]", "[][id]", "[0][url]", "[[", "[999999][x]"), json))
  .map((fields) => fields.map(([name, brackets, text]) => `${name}${brackets}=${text}`).join("&"));
const body = fc.oneof(
  json.map((text) => Buffer.from(text.replaceAll("SCRAPER", scraperId))),
  form.map((text) => Buffer.from(text.replaceAll("SCRAPER", scraperId))),
  nested.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const segment = fc.oneof(words, fc.string(), fc.webPath()).map((text) => encodeURIComponent(text));
const sent: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom("GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH"),
  path: fc.oneof(
    fc.constantFrom("/v1/runs", "/v1/runs", "/v1/runs", "/v1/scrapers"),
    segment.map((id) => `/v1/runs/${id}`),
    segment.map((id) => `/v1/scrapers/${id}`),
    fc
      .tuple(words, segment)
      .map(([name, text]) => `/v1/runs?${encodeURIComponent(name)}=${text}&page=${text}`),
    segment.map((text) => `/${text}`),
  ),
  headers: fc.record({
    "content-type": fc.constantFrom(
      "application/json",
      "application/json",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      "text/html",
      ";;;",
    ),
    authorization: fc.oneof(
      { weight: 9, arbitrary: fc.constant("KEY") },
      { weight: 1, arbitrary: fc.base64String() },
    ),
    "idempotency-key": fc.base64String({ maxLength: 300 }),
  }),
  body,
});

test("whatever is sent, the answer is ours and no fault", async () => {
  await fc.assert(
    fc.asyncProperty(sent, async (one) => {
      const headers = {
        ...one.headers,
        authorization: one.headers.authorization?.replace("KEY", `Bearer ${key}`) ?? "",
      };
      const { status, text } = await send({ ...one, headers });
      expect(status).toBeLessThan(500);
      const answer = JSON.parse(text);
      if (status >= 400) expect(answer).toMatchObject({ message: expect.stringMatching(/\S/) });
    }),
    { numRuns: 1_500 },
  );
  expect(world.logged.filter((line) => line.includes("Request failed"))).toEqual([]);
});
