import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, expect, jest, test } from "@jest/globals";
import * as v from "valibot";
import { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import { type Findings, withoutDescription } from "../../../functions/inspections/describe-findings.ts";
import { SHOWN } from "../../../functions/proposals/snapshot.ts";
import { SpareThread } from "../../../functions/threads/spare-thread.ts";
import { ComputationEnded, Thread } from "../../../functions/threads/thread.ts";

const thread = new Thread();
afterAll(() => thread[Symbol.asyncDispose]());

const secrets = [["password", "correct-horse"]] as const;
const long = "\\".repeat(2_000_000);
const ENOUGH_MS = 60_000;

test("a task that takes too long is ended, and the next one is done", async () => {
  const tooLong = thread.run("find", { secrets, text: long.repeat(4) }, 1);
  const next = thread.run("find", { secrets, text: "correct-horse" }, ENOUGH_MS);
  await expect(tooLong).rejects.toThrow(ComputationEnded);
  expect(await next).toEqual(["password"]);
});

test("time in which a busy machine gives a thread no CPU does not count", async () => {
  const told = jest.spyOn(Worker.prototype, "cpuUsage");
  told.mockResolvedValue({ user: 0, system: 0 });
  expect(await thread.run("find", { secrets, text: long }, 1)).toEqual([]);
  expect(told.mock.calls.length).toBeGreaterThan(1);
  told.mockRestore();
});

const page = {
  ...{ base: "https://shop.example/", url: "https://shop.example/", title: "Shop" },
  ...{ width: 1280, height: 800, viewHeight: 800, omitted: 0 },
  elements: Array.from({ length: 20_000 }, (_, index) => ({
    ...{ parent: index === 0 ? -1 : 0, tag: index === 0 ? "html" : "p", texts: [[0, `Text ${index}`]] },
    ...{ box: [0, 0, 100, 20], flags: SHOWN },
  })),
};
const findings: Findings = {
  task: {
    ...{ account: "default", steps: [], pagination: { type: "none" }, proxy: { type: "none" } },
    ...{ pages: 1, rows_limit: 10, want: ["lists", "map"], credits_left: null },
  },
  capture: { url: page.url, snapshot: JSON.stringify(page) },
  batches: [],
  transformed: [],
  warnings: [],
  known: { ok: true, error: null, steps: [], credits_used: 1 },
};

test("other work goes on while a page of 20,000 elements is described", async () => {
  const order: string[] = [];
  const described = thread.run("describe", findings, ENOUGH_MS);
  const ended = described.then(() => order.push("described"));
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    order.push("turn");
  }
  await ended;
  expect(order).toEqual(["turn", "turn", "turn", "described"]);
  const inspection = v.parse(Inspection, await described);
  expect(inspection.lists?.[0]).toMatchObject({ selector: "p", count: 19_999 });
});

test("an inspection whose page can't be described in time says so", () => {
  const answer = v.parse(Inspection, withoutDescription(findings));
  expect(answer).toMatchObject({ ok: true, lists: null, warnings: [{ code: "page_too_complex" }] });
});

test("a thread that is given back is the next one's; one that is in use is not", async () => {
  const threads = new SpareThread();
  const first = threads.take();
  const beside = threads.take();
  expect(beside.thread).not.toBe(first.thread);
  await first[Symbol.asyncDispose]();
  const next = threads.take();
  expect(next.thread).toBe(first.thread);
  expect(await next.thread.run("find", { secrets, text: "correct-horse" }, ENOUGH_MS)).toEqual(["password"]);
  for (const taken of [next, beside]) await taken[Symbol.asyncDispose]();
  await threads.close();
});
