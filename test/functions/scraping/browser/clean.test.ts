import { test } from "@jest/globals";
import { runsLeaveNothing } from "./clean.ts";

// `npm run soak` does the same for 100 runs, with a temporary folder of its own.
const soak = process.env.SOAK_RUNS;
const runs = Number(soak ?? 5);

test(
  `${runs} runs leave no process, no file and no memory behind`,
  () => runsLeaveNothing(runs, soak !== undefined),
  600_000,
);

test(
  `${runs} runs of one account, which share browsers, leave nothing behind either`,
  () => runsLeaveNothing(runs, soak !== undefined, "a"),
  600_000,
);
