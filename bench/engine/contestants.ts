import type { Entry } from "../contest/contestant.ts";
import type { WorkloadName } from "./workloads.ts";

const module = (file: string) => new URL(file, import.meta.url).href;

/** Workloads of one run. */
export const single: WorkloadName[] = [
  "list",
  "list_with_scripts",
  "table",
  "load_more",
  "infinite_scroll",
  "details",
  "one_page",
];
/** Workloads without timers. */
export const untimed: WorkloadName[] = [...single, "short_runs"];

/** Workloads that wait by timers. */
const timers: WorkloadName[] = ["slow_scroll", "search", "late_details"];

/** The contestants that need no other packages than the project has. */
export const own = {
  engine: { name: "engine", module: module("./engine.ts"), only: [...single, ...timers] },
  auto: { name: "auto", module: module("./auto.ts"), only: ["list", "list_with_scripts", "details"] },
  oneAtATime: {
    name: "one_at_a_time",
    module: module("./one-at-a-time.ts"),
    only: ["list", "list_with_scripts", "details"],
  },
  laidOut: { name: "laid_out", module: module("./laid-out.ts"), only: ["list", "table"] },
  service: { name: "service", module: module("./service-contestant.ts") },
  tuned: { name: "tuned", module: module("./playwright-tuned.ts") },
  openBrowser: {
    name: "open_browser",
    module: module("./open-browser.ts"),
    only: ["one_page", "short_runs"],
  },
  documented: { name: "playwright_documented", module: module("./playwright-documented.ts") },
} satisfies Record<string, Entry>;
