import { afterAll, expect, test } from "@jest/globals";
import { inspect } from "../../../functions/inspections/inspect.ts";
import type { InspectionTask } from "../../../functions/inspections/task.ts";
import type { Scrape, ScrapeJob } from "../../../functions/scraping/job.ts";
import { SpareThread } from "../../../functions/threads/spare-thread.ts";
import { startTable } from "../store/local-table.ts";

/* Whoever has a key of the account chooses the steps of an inspection. */

const table = await startTable();
const threads = new SpareThread();
afterAll(() => threads.close());
const task: InspectionTask = {
  account: "one",
  steps: [
    { type: "visit", url: "https://chosen-by-anybody.example/" },
    { type: "write_input", value: "{{secret:password}}", selector: "input" },
  ],
  ...{ pagination: { type: "none" }, proxy: { type: "none" }, credits_left: null },
  ...{ pages: 1, rows_limit: 1, want: ["rows"] },
};

/** Inspects with a secret for these hosts, and returns the code of the error and how often a page was opened. */
async function inspectWith(hosts: string[]) {
  let opened = 0;
  const scrape: Scrape = async function* () {
    opened += 1;
    yield { rows: [], checkpoint: { rowCount: 0, page: 1 } } as never;
    return "done";
  };
  const readSecrets = async () => new Map([["password", { value: "correct horse", hosts }]]);
  const deps = {
    table,
    threads,
    scrape,
    readSecrets,
    upstreamFor: async () => undefined,
    now: () => new Date(),
  };
  const { error } = await inspect(deps, task);
  return { error, opened };
}

test("an inspection uses no secret that names no hosts, and opens no page", async () => {
  expect(await inspectWith([])).toEqual({
    error: {
      code: "secret_unavailable",
      message: expect.stringContaining('The secret "password" names no hosts'),
      step: null,
    },
    opened: 0,
  });
  expect(await inspectWith(["shop.example"])).toEqual({ error: null, opened: 1 });
});

test("an inspection sends what the scraper states for its hosts, as a run does", async () => {
  let job: ScrapeJob | undefined;
  const scrape: Scrape = async function* (given) {
    job = given;
    yield { rows: [], checkpoint: { rowCount: 0, page: 1 } } as never;
    return "done";
  };
  const deps = {
    ...{ table, threads, scrape, upstreamFor: async () => undefined, now: () => new Date() },
    readSecrets: async () => new Map(),
  };
  const headers = { "x-key": "abc" };
  await inspect(deps, { ...task, steps: task.steps.slice(0, 1), headers, accept_status: [404] });
  expect(job).toMatchObject({ access: { headers }, acceptStatus: [404] });
});
