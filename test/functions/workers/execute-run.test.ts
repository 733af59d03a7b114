import { matchesGlob } from "node:path";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { MAX_ATTEMPTS, RUN_TIME_LIMIT_MS } from "../../../functions/runs/run-limits.ts";
import type { Outcome, Scrape, ScrapeJob } from "../../../functions/scraping/job.ts";
import { withSession } from "../../../functions/sessions/with-session.ts";
import { EXECUTOR_PARTITIONS, runKeys } from "../../../functions/store/runs/run-keys.ts";
import { ACCOUNTS } from "../../../functions/store/table.ts";
import { startTable } from "../store/local-table.ts";
import { type Recorded, record } from "../store/recorder.ts";
import { storeRun } from "../store/samples.ts";
import { START, startLife, takeTurn, takeTurnAndFail } from "./life.ts";

const table = await startTable();

/** A run whose engine gets a row each time and then ends as told. */
async function scene(outcomes: Outcome[]) {
  const jobs: ScrapeJob[] = [];
  const life = await startLife(table, {
    async *scrape(job) {
      jobs.push(job);
      const warnings = [
        { code: "details_missing", message: "Some pages are gone.", step: 1, count: jobs.length },
      ];
      yield { rows: [{ title: `row ${jobs.length}` }], checkpoint: { at: jobs.length }, warnings };
      return outcomes.shift() ?? "done";
    },
  });
  const run = await storeRun(table, life.account, life.scraper, { now: new Date(START) });
  return {
    run,
    clock: life.clock,
    jobs,
    queued: () => life.runs.map(({ delay }) => delay),
    execute: () => life.execute(run),
    sweep: life.sweep,
    read: () => life.read(run),
  };
}

const failure = new RunFailure("host_busy", "shop.example may not be asked now.");

test("a run that has to wait is let go and queued for then; it goes on where it was", async () => {
  const { clock, jobs, queued, execute, sweep, read } = await scene([{ notBefore: START + 90_500, failure }]);
  await execute();
  expect(queued()).toEqual([91]);
  // Nobody takes it for a run that got lost.
  clock.time += 90_000;
  await sweep();
  expect(queued()).toHaveLength(1);
  clock.time += 1_000;
  await execute();
  const warning = { code: "details_missing", message: "Some pages are gone.", step: 1 };
  expect(jobs[1]?.from).toEqual({ checkpoint: { at: 1 }, rowCount: 1, warnings: [{ ...warning, count: 1 }] });
  expect(await read()).toMatchObject({
    status: "successful",
    row_count: 2,
    warnings: [{ ...warning, count: 2 }],
  });
});

test("its message may get lost all the same", async () => {
  const { clock, queued, execute, sweep } = await scene([{ notBefore: START + 90_500, failure }]);
  await execute();
  clock.time += 90_500 + 60_000;
  await sweep();
  expect(queued()).toEqual([91, undefined]);
});

test("no wait is longer than a queue can hold, or than the run may take", async () => {
  const outcomes = [
    { notBefore: START + 2_000_000, failure },
    { notBefore: START + RUN_TIME_LIMIT_MS, failure },
  ];
  const { queued, execute, read } = await scene(outcomes);
  await execute();
  expect(queued()).toEqual([900]);
  await execute();
  expect(await read()).toMatchObject({
    status: "failed",
    error: { code: "host_busy", message: failure.message },
    row_count: 2,
  });
});

test("a run that executors pass on to each other in a loop ends, with its rows", async () => {
  const left = 5;
  const { run, jobs, queued, execute, read } = await scene(Array(left + 1).fill("handover"));
  const before = new UpdateCommand({
    TableName: table.name,
    Key: runKeys(run)?.state,
    UpdateExpression: "SET attempt = :attempt",
    ExpressionAttributeValues: { ":attempt": MAX_ATTEMPTS - left },
  });
  await table.db.send(before);
  for (let message = 0; message <= queued().length && message <= left; message += 1) await execute();
  expect(jobs).toHaveLength(left);
  expect(queued()).toHaveLength(left);
  expect(await read()).toMatchObject({
    status: "failed",
    error: { code: "internal_error", message: expect.stringContaining("none has finished it") },
    row_count: left,
  });
});

test("an executor reads and writes no other partitions than its role may", async () => {
  const life = await startLife(table, {
    creditLimit: 100,
    scrape: takeTurnAndFail,
  });
  const run = await life.start();
  const good = await life.start();
  const signIn: Scrape = async function* (_, { keeper }) {
    await keeper?.load();
    yield* [];
    return "done";
  };
  const signedIn = withSession(signIn, life.deps, life.account, run.id);
  const session = { name: "shop", check: { text: "Sign out" } };
  const requests = await record(table, async () => {
    await life.execute(run);
    await life.execute(good, { scrape: takeTurn });
    const job = { steps: [], pagination: { type: "none" }, rowsLimit: 1, session } as const;
    await signedIn(job, { onPageLoad() {}, deadline: 0 }).next();
  });
  const keysIn = (list: readonly Pick<Recorded, "input">[]) =>
    list.flatMap(({ input }) =>
      [...JSON.stringify(input).matchAll(/":?pk":"([^"]*)"/g)].map(([, key = ""]) => key),
    );
  const isLike = (key: string, pattern: string) => matchesGlob(key.replaceAll("/", "-"), pattern);
  const isOwn = (key: string) => EXECUTOR_PARTITIONS.some((pattern) => isLike(key, pattern));
  const [others, used] = [
    requests.filter(({ input }) => !keysIn([{ input }]).every(isOwn)),
    keysIn(requests),
  ];
  // The account alone, and of that partition nothing else.
  expect(new Set(others.map(({ command }) => command))).toEqual(new Set(["GetItemCommand"]));
  expect(new Set(keysIn(others))).toEqual(new Set([`${ACCOUNTS}${life.account}`]));
  // All of them were in use.
  expect(EXECUTOR_PARTITIONS.filter((pattern) => !used.some((key) => isLike(key, pattern)))).toEqual([]);
});
