import type { Contestant } from "../contest/contestant.ts";
import { inOneBrowser, NO_IMAGES, SCRIPT_ARGS } from "./scripts.ts";
import { tuned } from "./tuned.ts";

export const contestant: Contestant = {
  run: (task) =>
    inOneBrowser(task, [...SCRIPT_ARGS, NO_IMAGES], (context) => tuned(context, task.origin, task.workload)),
};
