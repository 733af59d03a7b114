import { expect, test } from "@jest/globals";
import type { RunRef } from "../../../functions/runs/run.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { putEvidence } from "../../../functions/store/runs/evidence.ts";
import { resendWebhook } from "../../../functions/store/runs/run-follow-up.ts";
import { requestStop } from "../../../functions/store/runs/run-stop.ts";
import { getRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";
import { startTable } from "../store/local-table.ts";
import { endRun, leftOf, storeRun } from "../store/samples.ts";
import { isWrite, withSend } from "../store/with-send.ts";
import { START, startLife } from "./life.ts";

const table = await startTable();

/** Rows that take several pieces. */
const scrape: Scrape = async function* (_, { onPageLoad }) {
  onPageLoad();
  for (let page = 1; page <= 3; page += 1) {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      text: `${index} ${Math.random()}`.repeat(500),
    }));
    yield { rows, checkpoint: { page } };
  }
  return "done";
};

const scene = () => startLife(table, { scrape, scraper: { webhook_url: "https://hooks.example.com/" } });
type Life = Awaited<ReturnType<typeof scene>>;

async function finishedRun(life: Life, idempotencyKey?: string): Promise<RunRef> {
  const ref = await life.start({ idempotencyKey });
  await life.execute(ref);
  await putEvidence(table, { ...ref, attempt: 1 }, { url: "https://example.org/", title: "Books" });
  return ref;
}

const now = (life: Life) => new Date(life.clock.time);
const mark = { status: "deleted", expires_at: START / 1000 + 25 * 3600 };

test("nothing of a deleted run is left but a mark that expires; its credits stay counted", async () => {
  const life = await scene();
  const ref = await finishedRun(life);
  expect((await leftOf(table, ref)).length).toBeGreaterThan(4);
  expect(await deleteRun(table, ref, now(life))).toBe("deleted");
  const left = await leftOf(table, ref);
  expect(left).toMatchObject([mark]);
  expect(left[0]).not.toHaveProperty("due");
  expect(await getRun(table, ref)).toBeUndefined();
  expect(await deleteRun(table, ref, now(life))).toBe("unknown");
  expect(await creditsUsed(table, life.account, monthOf(now(life)))).toBe(1);
});

test("an old run leaves nothing at all", async () => {
  const life = await scene();
  const ref = await finishedRun(life);
  life.clock.time += 26 * 3_600_000;
  await deleteRun(table, ref, now(life));
  expect(await leftOf(table, ref)).toEqual([]);
});

test("a run in progress is not deleted", async () => {
  const life = await scene();
  const ref = await life.start();
  expect(await deleteRun(table, ref, now(life))).toBe("running");
  expect(await life.read(ref)).toMatchObject({ status: "running" });
});

test("a deleted run does not come back: by its message, its webhook, a stop, or its Idempotency-Key", async () => {
  const life = await scene();
  const ref = await finishedRun(life, "one");
  // As it is after the delivery of its webhook.
  const { undelivered: _, ...delivered } = await life.read(ref);
  await deleteRun(table, ref, now(life));
  await life.execute(ref);
  await life.deliver(ref);
  const resent = { ...delivered, webhook_url: "https://example.org/" };
  expect(await resendWebhook(table, resent, now(life))).toBe(false);
  expect(await requestStop(table, ref, now(life))).toBeUndefined();
  const again = await startRun(life.deps, {
    account: life.account,
    source: "api",
    request: { scraper_id: life.scraper.id },
    idempotencyKey: "one",
  });
  expect(again).toEqual({ outcome: "deleted" });
  await life.pass(3);
  expect(await leftOf(table, ref)).toMatchObject([mark]);
});

test("lists stay dense when runs are deleted", async () => {
  const life = await scene();
  const refs: RunRef[] = [];
  for (let count = 0; count < 70; count += 1) {
    const run = await storeRun(table, life.account, life.scraper, { now: now(life) });
    await endRun(table, run, "successful", now(life));
    refs.unshift(run);
  }
  for (const ref of refs.slice(10, 20)) await deleteRun(table, ref, now(life));
  const kept = [...refs.slice(0, 10), ...refs.slice(20)].map(({ id }) => id);
  for (const scraperId of [undefined, life.scraper.id]) {
    const first = await listRuns(table, life.account, { page: 1, scraperId });
    const second = await listRuns(table, life.account, { page: 2, scraperId });
    expect([first.items.length, first.nextPage, second.nextPage]).toEqual([50, 2, null]);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(kept);
  }
});

test("before any write of its executor, also of a run that is stopped, a run is not deleted: it ends once, and then goes as a whole", async () => {
  let most = 1;
  for (let before = 1; before <= most; before += 1) {
    let writes = 0;
    let outcome: string | undefined;
    const life = await scene();
    const ref = await life.start();
    const watched = withSend(table, async (send, command) => {
      if (isWrite(command)) writes += 1;
      if (isWrite(command) && writes === before) {
        if (before % 2 === 0) await requestStop(table, ref, now(life));
        outcome = await deleteRun(table, ref, now(life));
      }
      return send();
    });
    await executeRun({ ...life.deps, table: watched }, ref, now(life).getTime() + 600_000);
    expect(outcome).toBe("running");
    most = Math.max(most, writes);
    life.clock.time += 11_000;
    await life.sweep();
    await life.execute(ref);
    expect((await life.read(ref)).status).not.toBe("running");
    expect(await deleteRun(table, ref, now(life))).toBe("deleted");
    await life.pass(22);
    expect(await leftOf(table, ref)).toMatchObject([mark]);
  }
  // The claim, rows, and the end.
  expect(most).toBeGreaterThan(3);
});

/** A run whose executor hung until somebody else had stopped the run and deleted it. */
async function lateWriter(isDeaf: boolean) {
  const life = await scene();
  const ref = await life.start();
  const hung = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isReleased = false;
  const hanging = withSend(table, async (send, { name, input }) => {
    const isPiece = name === "PutCommand" && String((input.Item as { pk: string }).pk).includes("#ROWS");
    if (isReleased && isDeaf && !isPiece) throw new Error("died");
    if (isPiece && !isReleased) {
      hung.resolve();
      await released.promise;
    }
    return send();
  });
  const executed = life.execute(ref, { table: hanging }).catch(() => {});
  await hung.promise;
  await requestStop(table, ref, now(life));
  life.clock.time += 11_000;
  await life.sweep();
  expect(await deleteRun(table, ref, now(life))).toBe("deleted");
  isReleased = true;
  released.resolve();
  await executed;
  expect((await leftOf(table, ref)).length).toBeGreaterThan(1);
  return { life, ref };
}

test("what an executor writes after its run was deleted is deleted by the next sweep", async () => {
  const { life, ref } = await lateWriter(false);
  await life.sweep();
  expect(await leftOf(table, ref)).toMatchObject([mark]);
});

test("what an executor writes after its run was deleted is deleted although the executor dies then", async () => {
  const { life, ref } = await lateWriter(true);
  await life.pass(22);
  expect(await leftOf(table, ref)).toMatchObject([mark]);
});
