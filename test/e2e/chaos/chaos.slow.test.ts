import { expect, test } from "@jest/globals";
import { onFailure } from "../../jest/failure-notes.ts";
import { KILLS, mostGivenUp, runChaos } from "./chaos.ts";

test.each([
  ["each part alone", KILLS.parts],
  ["the whole service", KILLS.service],
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
