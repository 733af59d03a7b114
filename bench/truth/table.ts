export const verdicts = ["right", "silent", "says so", "not in time", "not tried"] as const;
/** `silent`: rows are wrong, and nothing says so. `not in time`: not within a minute. `not tried`: the library can't express the task. */
export type Verdict = (typeof verdicts)[number];

export interface Result {
  task: string;
  peer: string;
  verdict: Verdict;
  /** Why the reading is not right, in one line. */
  reason: string;
  ms: number;
}

/** The results as a Markdown table: how often each peer has each verdict, and the median time of what it has read right. */
export function table(results: readonly Result[], versions: Readonly<Record<string, string>>): string {
  const lines = Object.entries(versions).map(([peer, version]) => {
    const own = results.filter((result) => result.peer === peer);
    const counts = verdicts.map((verdict) => own.filter((result) => result.verdict === verdict).length);
    const times = own.filter(({ verdict }) => verdict === "right").map(({ ms }) => ms);
    const median = times.sort((one, other) => one - other)[times.length >> 1];
    return [peer, version, ...counts, median === undefined ? "" : `${(median / 1000).toFixed(1)} s`];
  });
  const head = [
    "",
    "version",
    "right",
    "wrong without a word",
    "says so",
    "not within a minute",
    "not tried",
    "median time of the right ones",
  ];
  const rule = head.map(() => "---");
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
