import { type BrowserContext, chromium } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import { abreast } from "../contest/abreast.ts";
import type { Task } from "../contest/contestant.ts";

/** Arguments of a browser that a script starts. */
export const SCRIPT_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
/** Skips decoding, too, which blocking the requests would not. */
export const NO_IMAGES = "--blink-settings=imagesEnabled=false";

/** Does the runs of a workload in one browser, each in a context of its own. */
export async function inOneBrowser(
  task: Task,
  args: readonly string[],
  script: (context: BrowserContext) => Promise<Row[]>,
): Promise<void> {
  const { runs } = task.workload;
  const browser = await task.start(() => chromium.launch({ args: [...args], ...task.chromium }));
  try {
    const rows = await abreast(runs, async () => {
      const context = await browser.newContext();
      const rows = await script(context);
      if (runs > 1) await context.close();
      return rows;
    });
    await task.done(rows.flat());
  } finally {
    await browser.close();
  }
}
