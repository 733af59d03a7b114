import { expect, test } from "@jest/globals";
import { onFailure } from "../../jest/failure-notes.ts";
import { runChaos } from "./chaos.ts";

test("whatever is killed, every run finishes with its rows, credits and webhook", async () => {
  const runs = 60;
  const reports: string[] = [];
  onFailure("what went other than planned", () => reports.join("\n"));
  const summary = await runChaos({
    runs,
    seed: 1,
    // A webhook whose third attempt fails is due again after five minutes.
    settleMs: 560_000,
    report: (line) => void reports.push(line),
  });
  expect(summary.kills).toBeGreaterThanOrEqual(runs / 4);
  // A run may be given up when its executor was killed three times; nothing else may go wrong.
  expect(summary.given_up).toBeLessThan(runs / 10);
  const { runs: _, kills, given_up, ...wrong } = summary;
  expect(wrong).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 0])));
}, 720_000);
