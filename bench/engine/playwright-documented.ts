import type { Contestant } from "../contest/contestant.ts";
import { documented } from "./documented.ts";
import { inOneBrowser, SCRIPT_ARGS } from "./scripts.ts";

export const contestant: Contestant = {
  run: (task) =>
    inOneBrowser(task, SCRIPT_ARGS, async (context) =>
      documented(await context.newPage(), task.origin, task.workload),
    ),
};
