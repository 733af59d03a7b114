import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { RowWriter } from "../../functions/store/runs/rows.ts";
import { claimRun, saveProgress } from "../../functions/store/runs/run-state.ts";
import { joinWorld, type World } from "./harness.ts";

/* The rows of a run as files, over HTTP. */

let world: World;
let run: Run;
beforeAll(async () => {
  world = await joinWorld();
  const scraper = await world.putScraper({
    name: "Books",
    steps: [
      { type: "visit", url: `${world.shopUrl}/books` },
      {
        type: "get_list",
        selector: ".book-card",
        fields: [
          { name: "title", selector: ".book-title" },
          { name: "price", selector: ".price" },
        ],
      },
    ],
  });
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  run = await world.finished(body.id);
});
afterAll(() => world.stop());

async function rows(query: string, id = run.id) {
  const response = await fetch(`${world.service.url}/v1/runs/${id}/rows${query}`, {
    headers: { authorization: `Bearer ${world.service.credentials.api_key}` },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("the rows come in each format", async () => {
  const all = run.result_rows ?? [];
  expect(all.length).toBeGreaterThan(3);
  const json = await rows("");
  expect(json.headers.get("content-type")).toBe("application/json");
  expect(json.headers.get("gleaner-run-status")).toBe("successful");
  expect(json.headers.get("gleaner-row-count")).toBe(String(all.length));
  expect(JSON.parse(json.text)).toEqual(all);
  const jsonl = await rows("?format=jsonl&offset=1&limit=2&fields=price");
  expect(jsonl.headers.get("content-type")).toBe("application/jsonl");
  const prices = all.slice(1, 3).map(({ price }) => `${JSON.stringify({ price })}\n`);
  expect(jsonl.text).toBe(prices.join(""));
  const csv = await rows("?format=csv&download=1&fields=title");
  expect(csv.headers.get("content-type")).toContain("text/csv");
  expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="run-${run.id}.csv"`);
  // fetch takes the byte order mark away.
  expect(csv.text.split("\r\n").slice(0, 1)).toEqual(["title"]);
  const xlsx = await rows("?format=xlsx");
  expect(xlsx.headers.get("content-type")).toContain("spreadsheetml.sheet");
  expect(xlsx.text.slice(0, 2)).toBe("PK");
});

test("a wrong query is told, with what would be right", async () => {
  const { status, text } = await rows("?fields=title,colour&offset=999999");
  const { errors } = JSON.parse(text);
  expect(status).toBe(400);
  expect(errors).toEqual([
    { path: "fields", message: 'the run has no field "colour"; its fields are title, price' },
  ]);
  for (const query of ["?format=pdf", "?limit=0", "?offset=-1", "?bom=yes", "?ofset=1"])
    expect((await rows(query)).status).toBe(400);
  expect((await rows("", "0199a3f1-0d2a-7b51-8f6e-2c0000000001")).status).toBe(404);
  expect((await rows(`?offset=${run.row_count}`)).text).toBe("[]");
  expect(await rows("?offset=999999")).toMatchObject({ status: 200, text: "[]" });
});

test("while a run is in progress, its rows so far come", async () => {
  // Its list never answers, so that the run stays as it is.
  const scraper = await world.putScraper({
    name: "Slow",
    steps: [
      { type: "visit", url: "https://example.org/" },
      { type: "get_text", field_name: "a", selector: "h1" },
    ],
  });
  const id = await world.withTable(async (table) => {
    const { startRun } = await import("../../functions/runs/start-run.ts");
    const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
    const result = await startRun(
      { table, queues, now: () => new Date(), log: { info() {}, error() {} } },
      { account: world.service.credentials.account, source: "api", request: { scraper_id: scraper.id } },
    );
    if (result.outcome !== "started") throw new Error(result.outcome);
    const now = new Date();
    const claimed = await claimRun(table, result.run, now, 60_000);
    if (claimed === undefined) throw new Error("not claimed");
    const writer = new RowWriter(table, claimed, claimed);
    writer.append([{ a: "1" }, { a: "2" }]);
    const progress = {
      ...(await writer.flush()),
      checkpoint: { step: 1, loads: 3 },
      credits_used: 3,
      warnings: [],
      elapsed_ms: 5,
    };
    await saveProgress(table, claimed, progress, { now, leaseUntil: new Date(now.getTime() + 60_000) });
    return claimed.id;
  });
  const { headers, text } = await rows("?format=jsonl", id);
  expect([headers.get("gleaner-run-status"), text]).toEqual(["running", '{"a":"1"}\n{"a":"2"}\n']);
  expect((await rows("?offset=50", id)).text).toBe("[]");
  const { body } = await world.call<Run>(`/v1/runs/${id}`);
  expect(body).toMatchObject({
    row_count: 2,
    result_rows: null,
    progress: { step: 1, page: 3, rows: 2, credits: 3 },
  });
});
