import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { startWorld, type World } from "./harness.ts";

/* Runs are stopped wherever they stand, on the real service with a real browser. */

let world: World;
/** Requests that the site got, and those who wait for them. */
let onRequest: (path: string) => void = () => {};
const site = createServer((request, response) => {
  const path = request.url ?? "";
  onRequest(path);
  if (path.startsWith("/silent")) return;
  if (path === "/robots.txt") return void response.writeHead(404).end();
  const page = Number(/\d+/.exec(path)?.[0] ?? 1);
  const script = path.startsWith("/busy") ? "<script>for (;;);</script>" : "";
  response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<ul><li>row ${page}</li></ul><a href="/pages/${page + 1}">Next</a>${script}`);
});

beforeAll(async () => {
  await once(site.listen(0, "127.0.0.1"), "listening");
  world = await startWorld({ allowHosts: [`127.0.0.1:${(site.address() as AddressInfo).port}`] });
});
afterAll(async () => {
  await world.stop();
  site.close();
  site.closeAllConnections();
});

const asked = (path: string) =>
  new Promise<void>((resolve) => {
    onRequest = (asked) => {
      if (asked === path) resolve();
    };
  });

const scraperOf = (path: string, pagination: object = { type: "none" }) =>
  world.putScraper({
    name: "Stopped",
    steps: [
      { type: "visit", url: `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}` },
      { type: "get_list", selector: "li", fields: [{ name: "row" }] },
    ],
    pagination,
    webhook_url: world.receiverUrl,
  });

const stop = (id: string) => world.call<Run>(`/v1/runs/${id}/stop`, { method: "POST" });

test.each([
  ["between pages", "/pages/1", "/pages/4", { type: "next_button", field_name: "Next" }],
  [
    "while it waits for its host's turn",
    "/pages/1",
    "/pages/2",
    { type: "next_button", field_name: "Next", delay_ms: 60_000 },
  ],
  ["in a page that does not answer", "/silent", "/silent", { type: "none" }],
  ["in a page whose script never ends", "/busy", "/busy", { type: "none" }],
])("%s", async (_, path, reached, pagination) => {
  const isWaiting = "delay_ms" in pagination;
  const at = asked(isWaiting ? path : reached);
  const scraper = await scraperOf(path, pagination);
  const { body: run } = await world.post("/v1/runs", { scraper_id: scraper.id });
  await at;
  const stopping = await stop(run.id);
  expect(stopping.status).toBe(202);
  expect(stopping.body).toMatchObject({ id: run.id });
  const ended = await world.finished(run.id);
  expect(ended).toMatchObject({ status: "failed", stopping: false, error: { code: "stopped", step: null } });
  if (reached === "/pages/4") expect(ended.result_rows?.[0]).toEqual({ row: "row 1" });
  expect(ended.row_count).toBe(ended.result_rows?.length);
  const again = await stop(run.id);
  expect([again.status, again.body]).toEqual([200, ended]);
  while (!world.deliveries.some((delivery) => delivery.run.id === run.id))
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(world.deliveries.find((delivery) => delivery.run.id === run.id)?.run).toEqual(ended);
});

test("a run that waits in the queue ends at once", async () => {
  const scraper = await scraperOf("/silent");
  const runs = [];
  for (let count = 0; count < 4; count += 1)
    runs.push((await world.post("/v1/runs", { scraper_id: scraper.id })).body);
  const last = runs.at(-1)?.id ?? "";
  const { status, body } = await stop(last);
  expect([status, body.status, body.error?.code]).toEqual([202, "failed", "stopped"]);
  for (const { id } of runs) await stop(id);
  for (const { id } of runs) expect((await world.finished(id)).error?.code).toBe("stopped");
});

test("what is no run of the account is not found", async () => {
  for (const id of ["nope", "0199a3f1-0d2a-7b51-8f6e-2c0000000001"])
    expect((await stop(id)).status).toBe(404);
});
