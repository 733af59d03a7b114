import { type Browser, chromium } from "playwright-core";
import { abreast } from "../contest/abreast.ts";
import type { Contestant, Task } from "../contest/contestant.ts";
import { rowsOf } from "./documented.ts";
import { SCRIPT_ARGS } from "./scripts.ts";

let browser: Promise<Browser> | undefined;

/** A bare script in a browser that stays open from round to round: each run has a context of its own. */
export const contestant: Contestant = {
  async run(task) {
    browser ??= chromium.launch({ args: SCRIPT_ARGS, ...task.chromium });
    const opened = await task.start(() => browser as Promise<Browser>);
    const rows = await abreast(task.workload.runs, () => read(opened, task));
    await task.done(rows.flat());
  },
  async close() {
    await (await browser)?.close();
  },
};

async function read(opened: Browser, { workload, origin }: Task) {
  const { selector = "", fields } = workload.list;
  const context = await opened.newContext();
  const page = await context.newPage();
  await page.goto(origin + workload.path, { waitUntil: "domcontentloaded" });
  const rows = await rowsOf(page, selector, fields);
  await context.close();
  return rows;
}
