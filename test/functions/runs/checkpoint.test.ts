import { expect, test } from "@jest/globals";
import { CHECKPOINT_VERSION, readCheckpoint, UnknownCheckpoint } from "../../../functions/runs/checkpoint.ts";
import { releaseRun } from "../../../functions/store/runs/run-state.ts";
import { startTable } from "../store/local-table.ts";
import { withSend } from "../store/with-send.ts";
import { startLife } from "../workers/life.ts";

const table = await startTable();
const steps = { 1: (old: object) => ({ ...old, two: true }), 2: (old: object) => ({ ...old, three: true }) };

test("an older checkpoint is migrated version by version", () => {
  expect(readCheckpoint({ version: 1, checkpoint: { one: true } }, { version: 3, steps })).toEqual({
    one: true,
    two: true,
    three: true,
  });
  const checkpoint = { at: 1 };
  expect(readCheckpoint({ version: CHECKPOINT_VERSION, checkpoint })).toBe(checkpoint);
});

test.each([4, 0, undefined])("one of version %s is refused", (version) => {
  const stored = { version, checkpoint: {} } as never;
  expect(() => readCheckpoint(stored, { version: 3, steps })).toThrow(UnknownCheckpoint);
});

test("a run with a newer checkpoint is neither restarted nor lost: it waits for the version that reads it", async () => {
  let scrapes = 0;
  const life = await startLife(table, {
    async *scrape() {
      scrapes += 1;
      yield { rows: [{ n: String(scrapes) }], checkpoint: { page: scrapes } };
      return scrapes === 1 ? "handover" : "done";
    },
  });
  const run = await life.start();
  /** A version that writes checkpoints with this number. */
  const write = (version: number) =>
    withSend(table, (send, { input }) => {
      const values = input.ExpressionAttributeValues as { ":set_place"?: { version: number } } | undefined;
      if (values?.[":set_place"]) values[":set_place"].version = version;
      return send();
    });
  await life.execute(run, { table: write(CHECKPOINT_VERSION + 1) });
  life.runs.splice(0);
  await life.execute(run);
  expect(scrapes).toBe(1);
  const waiting = await life.read(run);
  expect(waiting).toMatchObject({ status: "running", row_count: 1, claims: 0 });
  expect(waiting).not.toHaveProperty("lease_until");
  // The newer version is back: it resumes the run. Here it is this one, after its checkpoint was put right.
  const place = { version: CHECKPOINT_VERSION, checkpoint: waiting.place?.checkpoint ?? {} };
  const { row_count, row_bytes, segments, credits_used, warnings, elapsed_ms } = waiting;
  const progress = { row_count, row_bytes, segments, credits_used, warnings, elapsed_ms };
  await releaseRun(
    table,
    waiting,
    { ...progress, ...place },
    { now: life.deps.now(), due: life.deps.now(), faults: 0 },
  );
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", row_count: 2 });
});

test("a run whose version does not come back ends within its time, and says why", async () => {
  const life = await startLife(table, {
    async *scrape() {
      yield { rows: [{ n: "1" }], checkpoint: { page: 1 } };
      return "handover";
    },
  });
  const run = await life.start();
  const newer = withSend(table, (send, { input }) => {
    const values = input.ExpressionAttributeValues as { ":set_place"?: { version: number } } | undefined;
    if (values?.[":set_place"]) values[":set_place"].version = CHECKPOINT_VERSION + 1;
    return send();
  });
  await life.execute(run, { table: newer });
  await life.pass(70);
  expect(await life.read(run)).toMatchObject({
    status: "failed",
    row_count: 1,
    error: { code: "internal_error", message: expect.stringContaining("newer version") },
  });
});
