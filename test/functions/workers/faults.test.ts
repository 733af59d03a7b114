import { randomBytes } from "node:crypto";
import { expect, jest, test } from "@jest/globals";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { runJson, runPageJson } from "../../../functions/runs/run-json.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { RowsDamaged } from "../../../functions/store/runs/read-rows.ts";
import { readLog } from "../../../functions/store/runs/run-log.ts";
import { listRuns } from "../../../functions/store/runs/runs.ts";
import { startTable } from "../store/local-table.ts";
import { type SentCommand, withSend } from "../store/with-send.ts";
import { holdIntervals } from "./intervals.ts";
import { startLife } from "./life.ts";

/* Faults of the service that outlast the retries of the SDK, while the process lives on. */

const table = await startTable();

holdIntervals();

const PAGES = 4;
const ROWS_A_PAGE = 500;
const rowsOf = (page: number) =>
  Array.from({ length: ROWS_A_PAGE }, (_, index) => ({
    n: String(page * ROWS_A_PAGE + index),
    text: texts[index] ?? "",
  }));
const texts = Array.from({ length: ROWS_A_PAGE }, () => randomBytes(40).toString("hex"));
const allRows = Array.from({ length: PAGES }, (_, page) => rowsOf(page)).flat();

/** Four pages. After each of them the lease is renewed. */
const scrape: Scrape = async function* (job, { onPageLoad }) {
  for (let page = Number(job.from?.checkpoint.page ?? 0); page < PAGES; page += 1) {
    onPageLoad();
    yield { rows: rowsOf(page), checkpoint: { page: page + 1 } };
    await renewal();
  }
  return "done";
};

/** Lets the lease be renewed, and waits until that has ended. */
async function renewal() {
  const renewed = Promise.withResolvers<void>();
  onRenewal = renewed.resolve;
  jest.advanceTimersByTime(RUN_TIMING.renewMs);
  await renewed.promise;
}
let onRenewal = () => {};

const isRows = ({ name, input }: SentCommand) =>
  name === "PutCommand" && String((input.Item as { pk: string }).pk).endsWith("#ROWS");
const isRenewal = ({ name, input }: SentCommand) =>
  name === "UpdateCommand" && /:set_row_count.*:set_lease_until/.test(String(input.UpdateExpression));

const throttled = () => new Error("ProvisionedThroughputExceededException, after the retries of the SDK");

async function rowsServed(run: StoredRun): Promise<Run["result_rows"]> {
  return JSON.parse((await Array.fromAsync(runJson(table, run), String)).join("")).result_rows;
}

/** A life on a table where `fails` says which requests fail. Each renewal is over when its write, or what failed of it, is. */
function faulty(fails: (command: SentCommand) => boolean) {
  return withSend(table, async (send, command) => {
    if (fails(command)) {
      setImmediate(() => onRenewal());
      throw throttled();
    }
    try {
      return await send();
    } finally {
      if (isRenewal(command)) setImmediate(() => onRenewal());
    }
  });
}

test.each([1, 2, 3])("rows whose write fails, the %ith of them, are stored all the same", async (which) => {
  const life = await startLife(table, { scrape });
  let writes = 0;
  const flaky = faulty((command) => isRows(command) && ++writes === which);
  const run = await life.start();
  await life.execute(run, { table: flaky });
  expect(await rowsServed(await life.read(run))).toEqual(allRows);
  expect(await life.read(run)).toMatchObject({ status: "successful", attempt: 1 });
});

test("while no rows can be stored, the run waits and is resumed from what was stored", async () => {
  const life = await startLife(table, { scrape });
  let isDown = false;
  const flaky = faulty((command) => {
    if (isRows(command)) isDown = true;
    return isDown && isRows(command);
  });
  const run = await life.start();
  await life.execute(run, { table: flaky });
  expect(await life.read(run)).toMatchObject({ status: "running", claims: 0, faults: 1, row_count: 0 });
  expect(life.runs.at(-1)?.delay).toBe(5);
  await life.execute(run, { table: faulty(() => false) });
  expect(await rowsServed(await life.read(run))).toEqual(allRows);
  expect(await creditsUsed(table, life.account, "2026-11")).toBe(PAGES);
});

test("one failed renewal ends no attempt, two in a row do", async () => {
  const life = await startLife(table, { scrape });
  let renewals = 0;
  const one = await life.start();
  await life.execute(one, { table: faulty((command) => isRenewal(command) && ++renewals === 2) });
  expect(await life.read(one)).toMatchObject({ status: "successful", attempt: 1 });
  renewals = 0;
  const two = await life.start();
  await life.execute(two, { table: faulty((command) => isRenewal(command) && ++renewals <= 2) });
  expect(await life.read(two)).toMatchObject({ status: "running", claims: 0, faults: 1 });
});

test("an attempt that has released its run renews its lease no more", async () => {
  const life = await startLife(table, {
    async *scrape() {
      yield { rows: [], checkpoint: { page: 1 } };
      return "handover";
    },
  });
  const run = await life.start();
  const { sendRun } = life.deps.queues;
  await life.execute(run, {
    queues: {
      ...life.deps.queues,
      async sendRun(...message) {
        jest.advanceTimersByTime(10 * RUN_TIMING.renewMs);
        await sendRun(...message);
      },
    },
  });
  expect(await life.read(run)).not.toHaveProperty("lease_until");
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ attempt: 2 });
});

test("faults are no deaths: secrets that can't be read for ten minutes fail no run", async () => {
  const life = await startLife(table, {
    scrape,
    scraper: {
      steps: [{ id: "a", type: "write_input", field_name: "x", value: "{{secret:pw}}" }],
    },
  });
  const run = await life.start();
  const readSecrets = async () => {
    throw new Error("ThrottlingException: SSM, Rate exceeded");
  };
  await life.pass(8, { readSecrets });
  const { status, claims, faults } = await life.read(run);
  expect({ status, claims, faults }).toEqual({ status: "running", claims: 0, faults: 8 });
  await life.pass(3, { readSecrets });
  expect(await life.read(run)).toMatchObject({
    status: "failed",
    error: { code: "internal_error", message: expect.stringContaining("Faults of the service") },
  });
});

test("a run each of whose attempts gets rows survives any number of faults", async () => {
  const attempts = 12;
  const life = await startLife(table, {
    async *scrape(job) {
      const page = Number(job.from?.checkpoint.page ?? 0);
      yield { rows: [{ n: String(page) }], checkpoint: { page: page + 1 } };
      await renewal();
      if (page + 1 < attempts) throw new Error("The service is at fault.");
      return "done";
    },
  });
  const run = await life.start();
  await life.pass(attempts, { table: faulty(() => false) });
  expect(await life.read(run)).toMatchObject({ status: "successful", attempt: attempts });
  expect(await rowsServed(await life.read(run))).toEqual(
    Array.from({ length: attempts }, (_, page) => ({ n: String(page) })),
  );
});

test.each([
  ["its evidence", "PutCommand", "#EVIDENCE"],
  ["its end", "TransactWriteCommand", "finished_at"],
])("the log of a run says once that it has ended, although %s could not be stored", async (_, name, part) => {
  const life = await startLife(table, {
    async *scrape(_, { onPageLoad }) {
      onPageLoad();
      yield { rows: rowsOf(0), checkpoint: { page: 1 } };
      const down = new RunFailure("http_error", "It is down.");
      down.evidence = { url: "https://shop.example/", title: "Down" };
      throw down;
    },
  });
  const run = await life.start();
  const flaky = faulty((command) => command.name === name && JSON.stringify(command.input).includes(part));
  await life.execute(run, { table: flaky });
  const codes = async () => (await readLog(table, await life.read(run))).map(({ code }) => code);
  expect(await codes()).toEqual(["started", "rows"]);
  await life.execute(run);
  expect(await codes()).toEqual(["started", "rows", "resumed", "rows", "failed"]);
});

test("POST while the queue fails creates one run, which the sweeper queues", async () => {
  const life = await startLife(table, { scrape });
  const { sendRun } = life.deps.queues;
  life.deps.queues.sendRun = async () => {
    throw new Error("SQS: 503");
  };
  const run = await life.start();
  expect((await listRuns(table, life.account, { page: 1 })).items).toHaveLength(1);
  life.deps.queues.sendRun = sendRun;
  await life.pass(1);
  expect(life.runs).toMatchObject([{ ref: { id: run.id } }]);
});

test("an idempotency key gives its run although the number of another request was taken in vain", async () => {
  const life = await startLife(table, { scrape });
  const { id } = life.scraper;
  const request = { request: { scraper_id: id }, idempotencyKey: "order" };
  const [one, other] = await Promise.all([life.start(request), life.start(request)]);
  expect(one).toEqual(other);
  for (let count = 0; count < 3; count += 1) expect(await life.start(request)).toEqual(one);
  expect((await life.start()).id).not.toBe(one.id);
});

test("rows that are missing are an error, and never a shorter list", async () => {
  const life = await startLife(table, { scrape });
  const run = await life.start();
  await life.execute(run, { table: faulty(() => false) });
  const stored = await life.read(run);
  const [first, ...others] = stored.segments;
  if (first === undefined) throw new Error("no segments");
  for (const damaged of [
    { ...stored, segments: [{ ...first, to: first.to + 1 }, ...others] },
    { ...stored, segments: others },
    { ...stored, segments: [], inline_rows: 1 },
  ]) {
    await expect(Array.fromAsync(runJson(table, damaged), String)).rejects.toThrow(RowsDamaged);
    await expect(
      Array.fromAsync(runPageJson(table, [damaged], null, { rows: true }), String),
    ).rejects.toThrow(RowsDamaged);
  }
});

test.each([
  ["forward", 2 * 3_600_000],
  ["back", -2 * 3_600_000],
])("a clock that is set %s during a run ends it neither as timeout nor without rows", async (_, jump) => {
  const life = await startLife(table, {
    async *scrape(job) {
      const page = Number(job.from?.checkpoint.page ?? 0);
      if (page === 2) life.clock.time += jump;
      yield { rows: [{ n: String(page) }], checkpoint: { page: page + 1 } };
      return page === PAGES - 1 ? "done" : "handover";
    },
  });
  const run = await life.start();
  for (let page = 0; page < PAGES; page += 1) {
    await life.execute(run);
    await life.sweep();
  }
  expect(await life.read(run)).toMatchObject({ status: "successful", row_count: PAGES });
});
