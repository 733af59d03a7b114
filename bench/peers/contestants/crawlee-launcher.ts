import { type BrowserType, chromium } from "playwright";
import type { Task } from "../../contest/contestant.ts";
import { SCRIPT_ARGS } from "../../engine/scripts.ts";

/** What Crawlee starts its browser with: the same Chromium, whose start does not count as work. */
export function launchContextOf(task: Task, args: readonly string[] = []) {
  const launcher = {
    name: () => "chromium",
    executablePath: () => task.chromium.executablePath,
    launch: (options) => task.start(() => chromium.launch(options)),
    launchPersistentContext: (folder, options) =>
      task.start(() => chromium.launchPersistentContext(folder, options)),
  } satisfies Partial<BrowserType>;
  return {
    launcher: launcher as unknown as BrowserType,
    launchOptions: { ...task.chromium, args: [...SCRIPT_ARGS, ...args] },
  };
}
