import { expect, test } from "@jest/globals";
import { type Evidence, RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { evidenceOf, putEvidence } from "../../../functions/store/runs/evidence.ts";
import { claimRun } from "../../../functions/store/runs/run-state.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startTable } from "../store/local-table.ts";
import { withSend } from "../store/with-send.ts";
import { startLife } from "./life.ts";

/* Faults of the table when the end of a run is stored, after which another attempt resumes the run. */

const table = await startTable();

/** The same table, which refuses the end of a run. */
const refusingEnds = (): Table =>
  withSend(table, async (send, { input }) => {
    if (JSON.stringify(input).includes("finished_at")) throw new Error("The table is at fault.");
    return send();
  });

test("pages after the last batch count once, although the end has to be stored again", async () => {
  const scrape: Scrape = async function* (job, { onPageLoad }) {
    if (job.from === undefined) {
      onPageLoad();
      yield { rows: [{ n: "1" }], checkpoint: { page: 1 } };
    }
    onPageLoad();
    onPageLoad();
    throw new RunFailure("http_error", "It is down.");
  };
  const life = await startLife(table, { scrape });
  const run = await life.start();
  await life.execute(run, { table: refusingEnds() });
  expect(await life.read(run)).toMatchObject({ status: "running", credits_used: 1 });
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "failed", credits_used: 3 });
  expect(await creditsUsed(table, life.account, "2026-11")).toBe(3);
});

/** An attempt that fails on a page with this title; without one, an attempt that succeeds. */
const failingOn = (title: string | undefined): Scrape =>
  async function* () {
    yield { rows: [{ n: "1" }], checkpoint: { page: 1 } };
    if (title === undefined) return "done";
    const failure = new RunFailure("http_error", "It is down.");
    failure.evidence = { url: "https://shop.example/", title };
    throw failure;
  };

async function sceneOfEvidence() {
  const life = await startLife(table, { scrape: failingOn("first") });
  const run = await life.start();
  const evidence = async (ref: RunRef): Promise<Evidence | undefined> =>
    evidenceOf(table, await life.read(ref));
  return { life, run, evidence };
}

test.each([
  ["a run that succeeds in the end has no evidence", undefined],
  ["a run that fails again has the evidence of its last attempt", "second"],
])("%s", async (_, title) => {
  const { life, run, evidence } = await sceneOfEvidence();
  await life.execute(run, { table: refusingEnds() });
  expect(await evidence(run)).toBeUndefined();
  await life.execute(run, { scrape: failingOn(title) });
  expect((await evidence(run))?.title).toBe(title);
});

test("an attempt that has lost its run does not replace the evidence of the one that ended it", async () => {
  const { life, run, evidence } = await sceneOfEvidence();
  const lost = await claimRun(table, run, new Date(life.clock.time), 0);
  if (lost === undefined) throw new Error("not claimed");
  await life.execute(run);
  await putEvidence(table, lost, { url: "https://shop.example/", title: "late" });
  expect((await evidence(run))?.title).toBe("first");
});

test("a run that the sweep ends has no evidence of an attempt before", async () => {
  const { life, run, evidence } = await sceneOfEvidence();
  await life.execute(run, { table: refusingEnds() });
  for (let sweeps = 0; sweeps < 24; sweeps += 1) {
    life.clock.time += 10 * 60_000;
    await life.sweep();
  }
  expect((await life.read(run)).status).toBe("failed");
  expect(await evidence(run)).toBeUndefined();
});
