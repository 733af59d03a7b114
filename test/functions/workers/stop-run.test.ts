import { expect, test } from "@jest/globals";
import { stopRun } from "../../../functions/api/runs/stop-run.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { claimRun } from "../../../functions/store/runs/run-state.ts";
import { unusedByApi } from "../../no-files.ts";
import { caller } from "../api/caller.ts";
import { startTable } from "../store/local-table.ts";
import { START, startLife } from "./life.ts";

const table = await startTable();
const MONTH = monthOf(new Date(START));
const WEBHOOK = "https://hooks.example.com/";

async function scene(scrape: Scrape) {
  const life = await startLife(table, { scrape, scraper: { webhook_url: WEBHOOK } });
  const deps = {
    ...life.deps,
    ...unusedByApi,
  };
  const stop = async ({ account, id }: RunRef) => {
    const { status } = await stopRun({ account, caller, id, query: {}, body: undefined, headers: {} }, deps);
    return status;
  };
  return { ...life, stop };
}

/** An engine that gets two rows from a page, and then waits until it is told to stop. */
const endless: Scrape = async function* (_, { onPageLoad, stopped }) {
  onPageLoad();
  yield { rows: [{ title: "a" }, { title: "b" }], checkpoint: { at: 1 } };
  await new Promise((_, reject) => {
    stopped?.addEventListener("abort", () => reject(stopped.reason));
  });
  return "done";
};
const quick: Scrape = async function* (_, { onPageLoad }) {
  onPageLoad();
  yield { rows: [{ title: "a" }], checkpoint: { at: 1 } };
  return "done";
};

const stoppedRun = { status: "failed", error: { code: "stopped", step: null } };

test("a run that waits for its executor ends at once, and is not executed any more", async () => {
  const { start, stop, execute, read, webhooks } = await scene(quick);
  const ref = await start();
  expect(await stop(ref)).toBe(202);
  expect(await read(ref)).toMatchObject({ ...stoppedRun, row_count: 0, credits_used: 0 });
  expect(webhooks).toMatchObject([ref]);
  await execute(ref);
  expect(await read(ref)).toMatchObject(stoppedRun);
  expect(await stop(ref)).toBe(200);
});

test("a run in progress keeps its rows, counts its credits and sends its webhook", async () => {
  const { account, start, stop, execute, read, webhooks } = await scene(endless);
  const ref = await start();
  const executed = execute(ref);
  while ((await read(ref)).attempt === 0) await new Promise(setImmediate);
  expect([await stop(ref), await stop(ref)]).toEqual([202, 202]);
  await executed;
  expect(await read(ref)).toMatchObject({ ...stoppedRun, row_count: 2, credits_used: 1 });
  expect(await creditsUsed(table, account, MONTH)).toBe(1);
  expect(webhooks).toMatchObject([ref]);
});

test("an executor that stops releases its run, and tells the engine", async () => {
  const stopping = new AbortController();
  let isTold: boolean | undefined;
  const { deps, start, execute, read } = await scene(async function* (job, context) {
    stopping.abort();
    isTold = context.stopped?.aborted;
    return yield* quick(job, context);
  });
  Object.assign(deps, { stop: stopping.signal });
  const ref = await start();
  await execute(ref);
  expect(isTold).toBe(true);
  expect(await read(ref)).toMatchObject({ status: "running", row_count: 0 });
});

test("a run that was released to wait for its host ends at once, with the rows that it has", async () => {
  const { start, stop, execute, read } = await scene(async function* () {
    yield { rows: [{ title: "a" }], checkpoint: { at: 1 } };
    return "handover";
  });
  const ref = await start();
  await execute(ref);
  expect(await read(ref)).toMatchObject({ status: "running", row_count: 1 });
  await stop(ref);
  expect(await read(ref)).toMatchObject({ ...stoppedRun, row_count: 1 });
});

test.each(["a message", "the sweep"])("%s ends the run of an executor that died", async (by) => {
  const { clock, start, stop, execute, sweep, read, runs } = await scene(quick);
  const ref = await start();
  await claimRun(table, ref, new Date(clock.time), 45_000);
  runs.length = 0;
  expect(await stop(ref)).toBe(202);
  expect(await read(ref)).toMatchObject({ status: "running" });
  expect(runs).toEqual([{ ref, delay: 10 }]);
  clock.time += 10_000;
  await (by === "a message" ? execute(ref) : sweep());
  expect(await read(ref)).toMatchObject(stoppedRun);
});

test("when a run finishes while it is stopped, it ends once and stays as it ended", async () => {
  for (let steps = 0; steps < 12; steps += 1) {
    const { account, start, stop, execute, sweep, read, webhooks, clock } = await scene(quick);
    const ref = await start();
    const stopLater = async () => {
      for (let step = 0; step < steps; step += 1) await new Promise(setImmediate);
      return stop(ref);
    };
    await Promise.all([execute(ref), stopLater(), execute(ref)]);
    clock.time += 11_000;
    await sweep();
    const ended = await read(ref);
    expect(["failed", "successful"]).toContain(ended.status);
    if (ended.status === "failed") expect(ended).toMatchObject(stoppedRun);
    expect(webhooks.length).toBeGreaterThan(0);
    await Promise.all([execute(ref), stop(ref)]);
    clock.time += 3_600_000;
    await sweep();
    await execute(ref);
    const { status, error, row_count, credits_used, finished_at } = await read(ref);
    expect({ status, error, row_count, credits_used, finished_at }).toEqual({
      status: ended.status,
      error: ended.error,
      row_count: ended.row_count,
      credits_used: ended.credits_used,
      finished_at: ended.finished_at,
    });
    expect(await creditsUsed(table, account, MONTH)).toBe(ended.credits_used);
  }
});
