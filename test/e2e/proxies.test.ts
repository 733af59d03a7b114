import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { books } from "../../examples/shop/books.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { ProxySettings } from "../../functions/contract/scrapers/scraper.ts";
import type { ProxyList } from "../../functions/egress/connect/proxy-list.ts";
import { startUpstreamProxy, type UpstreamProxy } from "../site/upstream-proxy.ts";
import { type OwnWorld, startWorld } from "./harness.ts";

/* Runs through the operator's proxies: one that works, one that is not there, and a wrong password. */

const user = "renter-of-proxies";
const password = "planted-proxy-password";
const wrongPassword = "planted-wrong-password";
let good: UpstreamProxy;
let dead: UpstreamProxy;
let world: OwnWorld;

beforeAll(async () => {
  [good, dead] = await Promise.all([
    startUpstreamProxy({ user, password }),
    startUpstreamProxy({ user, password }),
  ]);
  await dead.close();
  const proxies: ProxyList = [
    { type: "residential", country: "Germany", url: `http://${user}:${wrongPassword}@${good.host}` },
    { type: "residential", country: "France", url: `http://${user}:${password}@${dead.host}` },
    { type: "residential", country: "Peru", url: `http://${user}:${password}@${good.host}` },
    { type: "datacenter", url: `http://${user}:${password}@${good.host}` },
  ];
  world = await startWorld({ proxies });
});
afterAll(async () => {
  await world.stop();
  await good.close();
});

async function create(proxy: ProxySettings): Promise<string> {
  const scraper = await world.putScraper({
    name: "Test",
    steps: [
      { type: "visit", url: `${world.shopUrl}/books` },
      { type: "get_list", selector: ".book-card", fields: [{ name: "name", selector: ".book-title" }] },
    ],
    pagination: { type: "next_button", selector: ".pagination a.next" },
    // Pages ahead would be requested too, also behind the end.
    concurrency: 1,
    webhook_url: world.receiverUrl,
    proxy,
  });
  const { status, body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  expect(status).toBe(201);
  return body.id;
}

const run = async (proxy: ProxySettings): Promise<Run> => world.finished(await create(proxy));

/** All that the service has stored, from the table and from the bytes on disk. */
async function stored(): Promise<string> {
  const items = await world.withTable((table) =>
    table.db.send(new ScanCommand({ TableName: table.name })).then(({ Items }) => JSON.stringify(Items)),
  );
  const entries = await readdir(world.data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")),
  );
  return [items, ...texts].join("\n");
}

test("a run goes through the proxy of its type and country, at ten credits a page where it is residential", async () => {
  const before = good.asked.length;
  const datacenter = await run({ type: "datacenter", country: "Chile" });
  expect(datacenter).toMatchObject({ status: "successful", error: null, credits_used: 5 });
  expect(datacenter.result_rows).toHaveLength(books.length);
  const asked = good.asked.slice(before);
  expect(asked.filter((line) => line.startsWith(`GET ${world.shopUrl}/books`))).toHaveLength(5);
  // The stylesheet, too: nothing of a page takes another way.
  expect(asked).toContain(`GET ${world.shopUrl}/shop.css`);

  const residential = await run({ type: "residential", country: "Peru" });
  expect(residential).toMatchObject({ status: "successful", credits_used: 50 });
  expect(residential.result_rows).toEqual(datacenter.result_rows);

  const asks = good.asked.length;
  expect(await run({ type: "none" })).toMatchObject({ status: "successful", credits_used: 5 });
  expect(good.asked).toHaveLength(asks);
});

test("a proxy that does not work, or is not set up, ends the run with its type and country", async () => {
  const refused = await run({ type: "residential", country: "Germany" });
  expect(refused.error).toMatchObject({
    code: "proxy_failed",
    step: 0,
    message: expect.stringContaining("the residential proxy for Germany refused its credentials"),
  });
  const gone = await run({ type: "residential", country: "France" });
  expect(gone.error).toMatchObject({
    code: "proxy_failed",
    step: 0,
    message: expect.stringContaining("The connection to the residential proxy for France failed"),
  });
  const missing = await run({ type: "residential", country: "Chile" });
  expect(missing.error).toMatchObject({
    code: "proxy_failed",
    step: null,
    message: expect.stringContaining("No residential proxy for Chile is set up"),
  });
  for (const { status, credits_used, error } of [refused, gone, missing]) {
    expect({ status, credits_used }).toEqual({ status: "failed", credits_used: 0 });
    expect(error?.message).toMatch(/ask the operator/i);
  }
});

test("nobody but the proxies hears of their addresses and passwords", async () => {
  while (world.deliveries.length < 6) await sleep(50);
  const told = [await stored(), ...world.logged, JSON.stringify(world.deliveries)].join("\n");
  // It was looked for where it would be.
  expect(told).toContain("the residential proxy for Germany");
  const base64 = [password, wrongPassword].map((text) => Buffer.from(`${user}:${text}`).toString("base64"));
  for (const secret of [user, password, wrongPassword, ...base64, good.host, dead.host]) {
    expect(told).not.toContain(secret);
  }
  expect(new Set(good.credentials)).toEqual(new Set(base64.map((text) => `Basic ${text}`)));
});
