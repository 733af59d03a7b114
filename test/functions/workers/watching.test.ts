import { expect, test } from "@jest/globals";
import { simulate } from "../../../bench/watching/simulate.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();

test("of scrapers whose sites change and break, each change, break and recovery is told once", async () => {
  const { changes, alerts, errors } = await simulate(table, { days: 12, scrapers: 8, seed: 5 });
  expect(errors).toEqual([]);
  for (const [kind, { true: is, reported, missed, false: wrong }] of Object.entries({
    ...changes,
    ...alerts,
  })) {
    expect({ kind, missed, wrong }).toEqual({ kind, missed: 0, wrong: 0 });
    expect(is).toBeGreaterThan(5);
    expect(reported).toBe(is);
  }
});
