import { expect, test } from "@jest/globals";
import type { RunRef } from "../../functions/runs/run.ts";
import type { Scrape } from "../../functions/scraping/job.ts";
import { claimRun } from "../../functions/store/runs/run-state.ts";
import { recover, resumeWebhooks } from "../../local/recover.ts";
import { startTable } from "../functions/store/local-table.ts";
import { startLife } from "../functions/workers/life.ts";

const table = await startTable();
const KILLS = 10;
const HOUR_MS = 3_600_000;

const scrape: Scrape = async function* () {
  yield { rows: [{ title: "kept" }], checkpoint: { page: 1 } };
  return "done";
};

/** A run that an executor has claimed. */
async function startClaimed() {
  const life = await startLife(table, { scrape, scraper: { webhook_url: "https://example.org/hook" } });
  const run = await life.start();
  const { now, queues, log } = life.deps;
  const claim = () => claimRun(table, run, now(), 60_000);
  expect(await claim()).toMatchObject({ attempt: 1 });
  return { life, run, claim, recover: () => recover({ table, queues, now, log }) };
}

const queuedFor = (refs: RunRef[], { id }: RunRef) => refs.filter((ref) => ref.id === id).length;

test("a run survives any number of kills of the service, although it has got no rows", async () => {
  const { life, run, claim, recover } = await startClaimed();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    life.runs.length = 0;
    await recover();
    expect(
      queuedFor(
        life.runs.map(({ ref }) => ref),
        run,
      ),
    ).toBe(1);
    await life.sweep();
    expect(await life.read(run)).toMatchObject({ status: "running" });
    if (kill < KILLS) expect(await claim()).toMatchObject({ attempt: kill + 1 });
  }
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", row_count: 1, attempt: KILLS + 1 });
});

test.each([41 * 24, 1])(
  "a webhook that a clock ahead by %i hours has planned is delivered when it is set back",
  async (hours) => {
    const post = async () => ({ status: delivered ? 204 : 503, body: "", durationMs: 1 });
    let delivered = false;
    const life = await startLife(table, {
      scrape,
      post,
      scraper: { webhook_url: "https://example.org/hook" },
    });
    const run = await life.start();
    await life.execute(run);
    life.clock.time += hours * HOUR_MS;
    await life.deliver(run);
    expect(await life.read(run)).toMatchObject({ undelivered: true, webhook_attempts: 1 });
    delivered = true;
    life.clock.time -= hours * HOUR_MS;
    life.webhooks.length = 0;
    // The time of the ahead clock is far away, so no sweep finds the run.
    await life.sweep();
    expect(life.webhooks).toEqual([]);
    await resumeWebhooks(life.deps);
    expect(queuedFor(life.webhooks, run)).toBe(1);
    await life.deliver(run);
    expect(await life.read(run)).toMatchObject({ webhook_outcome: "delivered" });
  },
);
