import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { readScraperItem } from "../../functions/store/scrapers.ts";
import type { Table } from "../../functions/store/table.ts";
import { openLocalTable, tableOf } from "../../local/backend.ts";
import { withService } from "../../local/connect.ts";
import { DataFolder } from "../../local/data/data-folder.ts";
import { type Service, startService } from "../../local/service.ts";
import { newFolder } from "../new-folder.ts";
import { putScraper } from "../put-scraper.ts";

/*
 * Schedules on the whole local service. Its clock is the real one: time goes by when a scraper is stored as it would
 * have been minutes or hours ago.
 */

const HOUR_MS = 3_600_000;

let data: string;
let service: Service | undefined;
let site: Server;
let siteHost: string;
/** The site's answers while it is told to wait. */
let held: (() => void)[] | undefined;

beforeAll(async () => {
  data = await newFolder();
  site = createServer((_request, response) => {
    const answer = () => response.setHeader("content-type", "text/html").end("<ul><li>one<li>two</ul>");
    if (held) held.push(answer);
    else answer();
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  await start();
});

afterAll(async () => {
  await service?.stop();
  site.close();
  site.closeAllConnections();
});

async function start(): Promise<void> {
  const log = { info() {}, error() {} };
  service = await startService({ port: 0, data, allowHosts: [siteHost], log });
}

async function get<T>(path: string): Promise<{ status: number; body: T }> {
  const headers = { authorization: `Bearer ${service?.credentials.api_key}` };
  const response = await fetch(`${service?.url}${path}`, { headers });
  return { status: response.status, body: (await response.json()) as T };
}

const definition = () => ({
  name: "List",
  steps: [
    { id: "open", type: "visit", url: `http://${siteHost}/` },
    { type: "get_list", selector: "li", fields: [{ name: "item" }] },
  ],
});

/** Stores a scraper as it would have been stored `agoMs` ago. */
const putInto = (table: Table, agoMs: number, schedule: object | null, id?: string) =>
  putScraper(table, "default", { ...definition(), id, schedule }, new Date(Date.now() - agoMs));
const put = (agoMs: number, schedule: object | null, id?: string) =>
  withService({ data }, (table) => putInto(table, agoMs, schedule, id));

/** The scraper's runs, newest first, when there are so many. */
async function runsOf(scraperId: string, count: number): Promise<Run[]> {
  for (;;) {
    const { body } = await get<{ data: Run[] }>(`/v1/runs?scraper_id=${scraperId}`);
    if (body.data.length >= count) return body.data;
    // The key allows five requests a second.
    await sleep(300);
  }
}

async function finished(scraperId: string, count: number): Promise<Run[]> {
  for (;;) {
    const runs = await runsOf(scraperId, count);
    if (runs.every((run) => run.status !== "running")) return runs;
    await sleep(300);
  }
}

async function servedNextRun(scraperId: string): Promise<number> {
  const { body } = await get<Scraper>(`/v1/scrapers/${scraperId}`);
  return Date.parse(body.schedule?.next_run ?? "");
}

test("a scraper runs at its time, and says when it runs next", async () => {
  const nextRun = new Date(Date.now() + 10_000);
  const { id } = await put(0, { interval: "1 hour", next_run: nextRun.toISOString() });
  expect(await servedNextRun(id)).toBe(nextRun.getTime());
  const [run] = await finished(id, 1);
  expect(run).toMatchObject({ source: "scheduler", status: "successful" });
  expect(run?.result_rows).toEqual([{ item: "one" }, { item: "two" }]);
  expect(Date.parse(run?.created_at ?? "")).toBeGreaterThanOrEqual(nextRun.getTime());
  expect(await servedNextRun(id)).toBe(nextRun.getTime() + HOUR_MS);
});

test("a stopped service catches up once for each scraper, then keeps the rhythm", async () => {
  await service?.stop();
  const dynamoDb = openLocalTable(new DataFolder(data).tablePath);
  const table = tableOf(dynamoDb);
  const stored = [
    await putInto(table, 5 * HOUR_MS, { interval: "45 minutes" }),
    await putInto(table, 26 * HOUR_MS, { interval: "1 hour" }),
    await putInto(table, 26 * HOUR_MS, { interval: "1 day" }),
  ];
  const notYet = await putInto(table, 26 * HOUR_MS, { interval: "1 week" });
  dynamoDb.close();

  await start();
  for (const { id } of stored) await finished(id, 1);
  // More would have been started by now: the service looks every second.
  await sleep(1_200);
  for (const { id } of stored) expect(await runsOf(id, 1)).toHaveLength(1);
  expect(await runsOf(notYet.id, 0)).toEqual([]);
  for (const { id } of stored) expect(await servedNextRun(id)).toBeGreaterThan(Date.now());

  await service?.stop();
  await start();
  await sleep(300);
  for (const { id } of stored) expect(await runsOf(id, 1)).toHaveLength(1);
});

test("while the last run still runs the next one is skipped, and a changed schedule holds at once", async () => {
  held = [];
  const { id } = await put(HOUR_MS, { interval: "1 hour" });
  await runsOf(id, 1);
  // An occurrence of another schedule, a moment ago.
  const skipped = await put(2 * HOUR_MS, { interval: "2 hours" }, id);
  let item: Record<string, unknown> = {};
  while (item.last_skipped_at === undefined) {
    item = { ...(await withService({ data }, (table) => readScraperItem(table, "default", id))) };
    await sleep(50);
  }
  expect(item).toMatchObject({
    last_skipped_at: skipped.schedule?.next_run,
    last_skip_reason: "still_running",
  });
  expect(await runsOf(id, 1)).toHaveLength(1);

  const answers = held;
  held = undefined;
  for (const answer of answers) answer();
  await finished(id, 1);
  await put(3 * HOUR_MS, { interval: "3 hours" }, id);
  expect(await finished(id, 2)).toHaveLength(2);
});

test("a deleted scraper is gone with its schedule, and its runs stay", async () => {
  const { id } = await put(HOUR_MS, { interval: "1 hour" });
  const [run] = await finished(id, 1);
  const deleted = await gleaner("scraper", "delete", id, "--yes", "--data", data);
  expect(deleted).toEqual({ code: 0, output: `Deleted the scraper ${id}. Its runs stay.\n` });
  expect((await get(`/v1/scrapers/${id}`)).status).toBe(404);
  const { body } = await get<{ data: Scraper[] }>("/v1/scrapers");
  expect(body.data.map((scraper) => scraper.id)).not.toContain(id);
  expect(await withService({ data }, (table) => readScraperItem(table, "default", id))).not.toHaveProperty(
    "due",
  );
  expect(await runsOf(id, 1)).toEqual([run]);
  expect((await get(`/v1/runs/${run?.id}`)).body).toEqual(run);

  const again = await gleaner("scraper", "delete", id, "--yes", "--data", data);
  expect(again).toEqual({ code: 4, output: expect.stringContaining("no scraper with this id") });
});

async function gleaner(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["bin/gleaner.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}
