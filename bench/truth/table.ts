import type { Subject } from "./pages.ts";

export const verdicts = ["right", "silent", "says so", "not in time", "not tried"] as const;
/** `silent`: rows are wrong, and nothing says so. `not in time`: not within a minute. `not tried`: the library can't express the task. */
export type Verdict = (typeof verdicts)[number];

export interface Result {
  set: Subject["set"];
  task: string;
  peer: string;
  verdict: Verdict;
  /** Why the reading is not right, in one line. */
  reason: string;
  ms: number;
}

/** What `npm run bench:truth` writes. */
export interface Report {
  /** ISO 8601: when the run began, and when its last reading ended. */
  started: string;
  ended: string;
  /** How often the run was resumed. */
  resumed: number;
  cores: number;
  concurrency: number;
  /** The number of pages of each set. */
  pages: Readonly<Partial<Record<Subject["set"], number>>>;
  /** By peer. */
  versions: Readonly<Record<string, string>>;
  results: Result[];
}

const titles: Record<Subject["set"], string> = {
  widgets: "Pages of widgets",
  reports: "Pages made after public bug reports",
  control: "Control pages",
};

/** A report in Markdown: a table for each set of pages. */
export function tables({ pages, versions, results, ...run }: Report): string {
  const parts = Object.entries(pages).map(([set, count]) => {
    const own = results.filter((result) => result.set === set);
    const done = new Set(own.map(({ task }) => task)).size;
    const all = `${done === count ? "" : `${done} of `}${count} ${count === 1 ? "page" : "pages"}`;
    return `**${titles[set as Subject["set"]]}**, ${all}:\n\n${table(own, versions)}`;
  });
  const resumed = run.resumed > 0 ? `, resumed ${run.resumed === 1 ? "once" : `${run.resumed} times`}` : "";
  const day = new Date(run.started).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const where = `${run.concurrency} readings side by side on ${run.cores} cores`;
  return [`One run, on ${day}${resumed}, with ${where}.`, ...parts].join("\n\n");
}

/** How often each peer has each verdict, and the median time of what it has read right. */
function table(results: readonly Result[], versions: Report["versions"]): string {
  const lines = Object.entries(versions).map(([peer, version]) => {
    const own = results.filter((result) => result.peer === peer);
    const counts = verdicts.map((verdict) => own.filter((result) => result.verdict === verdict).length);
    const times = own.filter(({ verdict }) => verdict === "right").map(({ ms }) => ms);
    const median = times.sort((one, other) => one - other)[times.length >> 1];
    return [peer, version, ...counts, median === undefined ? "" : `${(median / 1000).toFixed(1)} s`];
  });
  const head = [
    "version",
    "right",
    "wrong without a word",
    "says so",
    "not within a minute",
    "not tried",
    "median time of the right ones",
  ];
  return [
    `| | ${head.join(" | ")} |`,
    `|${"---|".repeat(head.length + 1)}`,
    ...lines.map((cells) => `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`),
  ].join("\n");
}
