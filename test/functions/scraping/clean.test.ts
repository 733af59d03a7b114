import { test } from "@jest/globals";
import { runsLeaveNothing } from "./clean.ts";

// `npm run soak` does the same for 100 runs.
const runs = Number(process.env.SOAK_RUNS ?? 10);

test(`${runs} runs leave no process, no file and no memory behind`, () => runsLeaveNothing(runs), 600_000);
