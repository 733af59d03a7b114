import { expect, test } from "@jest/globals";
import { readRunLog } from "../../../functions/api/runs/read-run-log.ts";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import { unusedByApi } from "../../no-files.ts";
import { caller } from "../api/caller.ts";
import { startTable } from "../store/local-table.ts";
import { type Recorded, record } from "../store/recorder.ts";
import { startLife } from "./life.ts";

/* The executor renews its lease each 15 s and looks more often: what is stored before, is stored for a watcher. */

const timing = { ...RUN_TIMING, checkMs: 100 };

const table = await startTable();

/** A run whose engine gets a row, and then waits to be told to end. */
async function scene() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: hasRow, resolve: onRow } = Promise.withResolvers<void>();
  const life = await startLife(table, {
    async *scrape() {
      yield { rows: [{ title: "a" }], checkpoint: { at: 1 } };
      onRow();
      await ended;
      return "done";
    },
  });
  const deps = {
    ...life.deps,
    ...unusedByApi,
  };
  const readLog = ({ account, id }: RunRef) =>
    readRunLog({ account, caller, id, query: { after: 0 }, body: undefined, headers: {} }, deps);
  const ref = await life.start();
  const execute = (run: RunRef) => life.execute(run, { timing });
  return { ...life, execute, ref, readLog, end, hasRow };
}

const looks = (requests: readonly Recorded[]) =>
  requests.filter(({ input }) => JSON.stringify(input).includes("watched_until") && "Key" in input);
const writes = (requests: readonly Recorded[], { id }: RunRef) =>
  requests.filter(
    ({ command, input }) => /Put|Update|Write/.test(command) && JSON.stringify(input).includes(id),
  );

/** Resolves when the executor has looked at its run so often. */
async function looked(times: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const name = `looks-${times}`;
  table.db.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const result = await next(args);
        if (commandName.startsWith("Get") && JSON.stringify(args.input).includes("watched_until")) count += 1;
        if (count === times) resolve();
        return result;
      },
    { step: "initialize", name },
  );
  await promise;
  table.db.middlewareStack.remove(name);
}

test("what a run has got is stored within seconds while somebody reads its log, and each thing once", async () => {
  const { ref, execute, read, readLog, end, hasRow } = await scene();
  const executed = execute(ref);
  await hasRow;
  await readLog(ref);
  while ((await read(ref))?.row_count !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await read(ref)).toMatchObject({ status: "running", row_count: 1 });
  // Nothing is new, so nothing is stored.
  expect(writes(await record(table, () => looked(1)), ref)).toEqual([]);
  end();
  await executed;
  expect(await read(ref)).toMatchObject({ status: "successful", row_count: 1 });
});

test("a run that nobody watches is not written more often", async () => {
  const { ref, execute, read, end, hasRow } = await scene();
  const executed = execute(ref);
  await hasRow;
  const requests = await record(table, () => looked(2));
  expect(looks(requests)).toHaveLength(2);
  expect(writes(requests, ref)).toEqual([]);
  expect(await read(ref)).toMatchObject({ status: "running", row_count: 0 });
  end();
  await executed;
});

test("watching costs one write a minute, and nothing once the run has ended", async () => {
  const { ref, clock, execute, read, readLog, end, hasRow } = await scene();
  const executed = execute(ref);
  await hasRow;
  const marks = async () => writes(await record(table, () => readLog(ref)), ref).length;
  expect([await marks(), await marks()]).toEqual([1, 0]);
  clock.time += 59_000;
  expect(await marks()).toBe(0);
  clock.time += 2_000;
  expect(await marks()).toBe(1);
  end();
  await executed;
  clock.time += 3_600_000;
  expect(await marks()).toBe(0);
  expect(await read(ref)).toMatchObject({ status: "successful" });
});

test("a failure to store something for a watcher does not end the attempt", async () => {
  const { ref, execute, read, readLog, end, hasRow } = await scene();
  const executed = execute(ref);
  await hasRow;
  await readLog(ref);
  let failures = 0;
  table.db.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const isStored =
          commandName.startsWith("Update") && JSON.stringify(args.input).includes("lease_until");
        if (!isStored || failures === 3) return next(args);
        failures += 1;
        throw new Error("The table is not there.");
      },
    { step: "initialize", name: "failing" },
  );
  while ((await read(ref))?.row_count !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
  table.db.middlewareStack.remove("failing");
  end();
  await executed;
  expect(failures).toBe(3);
  expect(await read(ref)).toMatchObject({ status: "successful", row_count: 1, attempt: 1 });
});
