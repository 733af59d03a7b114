import { expect, test } from "@jest/globals";
import { onFailure } from "../../jest/failure-notes.ts";
import { runBatchChaos } from "./batch-chaos.ts";
import { KILLS, mostGivenUp } from "./chaos.ts";
import { runChaos } from "./run-chaos.ts";

test.each([
  ["each part alone", KILLS.parts],
  ["the whole service", KILLS.service],
  ["the machine, whose place a backup takes", KILLS.machine],
])(
  "whatever is killed, every run finishes with its rows, credits and webhook: %s",
  async (_, plan) => {
    const runs = 60;
    const reports: string[] = [];
    onFailure("what went other than planned", () => reports.join("\n"));
    const summary = await runChaos({
      runs,
      kills: plan,
      seed: 1,
      // A webhook whose third attempt fails is due again after five minutes.
      settleMs: 560_000,
      report: (line) => void reports.push(line),
    });
    expect(summary.kills).toBeGreaterThanOrEqual(runs * plan.perRun);
    // A run may be given up when its executor was killed three times, unless the whole service was killed. Nothing else may
    // go wrong.
    expect(summary.given_up).toBeLessThanOrEqual(mostGivenUp(plan, runs));
    const { runs: __, kills, given_up, ...wrong } = summary;
    expect(wrong).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 0])));
  },
  900_000,
);

test("whatever is killed, every input of every batch has one run, and every batch one webhook", async () => {
  const reports: string[] = [];
  onFailure("what went other than planned", () => reports.join("\n"));
  const summary = await runBatchChaos({
    batches: 6,
    inputs: 10,
    count: 15,
    kills: KILLS.parts,
    seed: 1,
    settleMs: 560_000,
    report: (line) => void reports.push(line),
  });
  expect(summary.given_up).toBeLessThanOrEqual(mostGivenUp(KILLS.parts, 60));
  const { batches, inputs, kills, given_up, ...wrong } = summary;
  expect([batches, inputs, kills]).toEqual([6, 10, 15]);
  expect(wrong).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 0])));
}, 900_000);
