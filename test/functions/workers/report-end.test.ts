import { expect, test } from "@jest/globals";
import { alertOf } from "../../../functions/hooks/alert.ts";
import { listAlerts } from "../../../functions/store/hooks/alerts.ts";
import { deleteHooks, setDisabled } from "../../../functions/store/hooks/hooks.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import { deleteScraper, replaceScraper } from "../../../functions/store/scrapers.ts";
import { startAccount } from "../hooks/end-of-runs.ts";
import { startTable } from "../store/local-table.ts";
import { definition, storeScraper } from "../store/samples.ts";
import { repeating } from "../store/with-send.ts";
import { attempt, Dying, Faulty, mortal } from "./mortality.ts";

const table = await startTable();
let accounts = 0;
const start = (creditLimit?: number) => {
  accounts += 1;
  return startAccount(table, `account-${accounts}`, creditLimit);
};
const TURNS = ["scraper.failing", "scraper.recovered"] as const;
const FAILED = { error: "element_not_found" };

test("a scraper that breaks, and one that works again, is told once each", async () => {
  const { hook, end, told } = await start();
  const watching = await hook([...TURNS]);
  await end();
  expect(await told(watching)).toEqual([]);
  for (let run = 0; run < 7; run += 1) await end(FAILED);
  expect(await told(watching)).toEqual(["scraper.failing"]);
  await end();
  await end();
  expect(await told(watching)).toEqual(["scraper.failing", "scraper.recovered"]);
  await end(FAILED);
  expect(await told(watching)).toEqual(["scraper.failing", "scraper.recovered", "scraper.failing"]);
});

test("an alert says since when, and when the last good run ended", async () => {
  const { hook, end, account, now } = await start();
  const watching = await hook([...TURNS]);
  const good = await end();
  const first = await end(FAILED);
  await end(FAILED);
  const recovered = await end();
  const [second, failing] = await listAlerts(table, account, watching.id, now());
  expect(failing).toMatchObject({
    event: "scraper.failing",
    facts: { since: first.finished_at, last_good_at: good.finished_at, run: { id: first.id } },
  });
  expect(second).toMatchObject({
    event: "scraper.recovered",
    facts: { since: first.finished_at, last_good_at: good.finished_at, run: { id: recovered.id } },
  });
});

test("the first run of a scraper can fail, but not recover", async () => {
  const { hook, end, told } = await start();
  const watching = await hook([...TURNS]);
  await end(FAILED);
  expect(await told(watching)).toEqual(["scraper.failing"]);
});

test.each(["stopped", "credits_exhausted", "storage_exhausted"])(
  "a run that ended with %s says nothing of its scraper",
  async (error) => {
    const { hook, end, told } = await start();
    const watching = await hook([...TURNS, "run.finished"]);
    await end();
    await end({ error });
    await end();
    expect(await told(watching)).toEqual(["run.finished", "run.finished", "run.finished"]);
  },
);

test("a run with other values for steps, or of an earlier version, says nothing of its scraper", async () => {
  const { hook, end, told, scraper, account, now } = await start();
  const watching = await hook([...TURNS]);
  const open = { id: "open", type: "visit" as const, url: "https://example.org/mistyped" };
  await end({ ...FAILED, steps: [open, ...definition.steps.slice(1)] });
  expect(await told(watching)).toEqual([]);
  await replaceScraper(table, account, scraper, { ...definition, name: "Mended" }, now());
  await end(FAILED);
  expect(await told(watching)).toEqual([]);
});

test.each(["rows_fewer_than_usual", "field_emptier_than_usual", "expectation_missed"])(
  "a successful run with the warning %s is a failing one",
  async (warning) => {
    const { hook, end, told, account, now } = await start();
    const watching = await hook([...TURNS]);
    await end();
    await end({ warnings: ["rows_repeated"] });
    expect(await told(watching)).toEqual([]);
    await end({ warnings: [warning] });
    await end({ warnings: [warning] });
    await end();
    expect(await told(watching)).toEqual(["scraper.failing", "scraper.recovered"]);
    const failing = (await listAlerts(table, account, watching.id, now())).at(-1);
    expect(failing && alertOf(failing, undefined).data.message).toContain("Check it.");
  },
);

test("new rows of runs that leave out known ones are told, but not those of the first run", async () => {
  const { hook, end, told } = await start();
  const watching = await hook(["run.changed"]);
  const only_new = true;
  await end({ only_new, changes: { new: 20, baseline: null } });
  await end({ only_new, changes: { baseline: null } });
  expect(await told(watching)).toEqual([]);
  await end({ only_new, changes: { new: 1, baseline: null } });
  expect(await told(watching)).toEqual(["run.changed"]);
});

test("changes are told once, when they are final", async () => {
  const { hook, end, told } = await start();
  const watching = await hook(["run.changed"]);
  await end();
  await end({ changes: { new: 3, baseline: null } });
  await end({ changes: {} });
  await end({ changes: { removed: 1, final: false } });
  expect(await told(watching)).toEqual([]);
  await end({ changes: { removed: 1 } });
  expect(await told(watching)).toEqual(["run.changed"]);
});

test("a hook is told of what it asks for, and of its scraper only", async () => {
  const { hook, end, told, scraper, account, now } = await start();
  const other = await storeScraper(table, account, definition, now());
  const [all, own, others, turns] = [
    await hook(["run.finished"]),
    await hook(["run.finished"], scraper.id),
    await hook(["run.finished"], other.id),
    await hook(["scraper.recovered"]),
  ];
  await end(FAILED);
  await end({ scraper: other });
  expect(await told(all)).toEqual(["run.finished", "run.finished"]);
  expect(await told(own)).toEqual(["run.finished"]);
  expect(await told(others)).toEqual(["run.finished"]);
  expect(await told(turns)).toEqual([]);
});

test("a disabled hook, and one that was deleted, are told nothing", async () => {
  const { hook, end, told, account, now } = await start();
  const [disabled, deleted] = [await hook(["run.finished"]), await hook(["run.finished", "credits.low"])];
  await setDisabled(table, account, disabled.id, { at: now().toISOString(), reason: "gone" });
  await deleteHooks(table, account, ({ id }) => id === deleted.id);
  await end();
  expect([await told(disabled), await told(deleted)]).toEqual([[], []]);
});

test("runs that end at the same time break a scraper once, whatever messages come twice", async () => {
  const { hook, endRun, report, told } = await start();
  const watching = await hook([...TURNS]);
  const runs = await Promise.all([FAILED, FAILED, FAILED, FAILED].map(endRun));
  await Promise.all([...runs, ...runs].map((run) => report(run)));
  expect(await told(watching)).toEqual(["scraper.failing"]);
});

test("an end that is reported late does not undo a later one", async () => {
  const { hook, endRun, end, report, told } = await start();
  const watching = await hook([...TURNS]);
  await end(FAILED);
  const late = await endRun(FAILED);
  await end();
  await report(late);
  await end();
  expect(await told(watching)).toEqual(["scraper.failing", "scraper.recovered"]);
});

test("a process that dies, or whose writes fail, at any write leads to one alert of each kind", async () => {
  const { hook, endRun, report, told } = await start();
  const watching = await hook([...TURNS, "run.finished"]);
  const expected: string[] = [];
  for (let writes = 0; writes < 3; writes += 1) {
    const lives = [new Dying(writes), new Faulty(writes, 1, true), new Faulty(writes, 2, false)];
    for (const [index, life] of lives.entries()) {
      const isFailed = index % 2 === 0;
      const run = await endRun(isFailed ? FAILED : {});
      await attempt(() => report(run, mortal(table, life)));
      await report(run);
      await report(run);
      const turn = isFailed ? "scraper.failing" : "scraper.recovered";
      const isSame = expected.findLast((event) => event.startsWith("scraper.")) === turn;
      expected.push(...(isSame ? [] : [turn]), "run.finished");
    }
  }
  expect((await told(watching)).toSorted()).toEqual(expected.toSorted());
});

test("a report whose answer is lost is made once", async () => {
  const { hook, endRun, report, told } = await start();
  const watching = await hook(["run.finished"]);
  const run = await endRun();
  await report(run, repeating(table));
  expect(await told(watching)).toEqual(["run.finished"]);
  expect(await getRun(table, run)).not.toHaveProperty("unreported");
});

test("a run that was reported is not due any more", async () => {
  const { hook, end } = await start();
  await hook(["run.finished"]);
  expect(await getRun(table, await end())).not.toHaveProperty("due_at");
});

test("low credits are told once a month, and again after the limit was raised", async () => {
  const { hook, end, told } = await start(100);
  const watching = await hook(["credits.low"]);
  await end({ credits: 80 });
  expect(await told(watching)).toEqual([]);
  await end({ credits: 1 });
  await end({ credits: 10 });
  expect(await told(watching)).toEqual(["credits.low"]);
});

test("a scraper that was deleted neither fails nor recovers, but its last run is told", async () => {
  const { hook, endRun, report, told, scraper, account, now } = await start();
  const watching = await hook([...TURNS, "run.finished"]);
  const run = await endRun(FAILED);
  await deleteScraper(table, account, scraper.id);
  await report(run);
  expect(await told(watching)).toEqual(["run.finished"]);
  const [alert] = await listAlerts(table, account, watching.id, now());
  expect(alert?.facts.scraper).toEqual({ id: scraper.id, name: null });
});
