import type { Result } from "../contest/contest.ts";

const FIGURES = {
  wall_ms: "time of the work, ms",
  cpu_ms: "CPU time, ms",
  pss_mb: "memory, MB",
} as const;

/** A table of each figure for each latency: contestants down, workloads across. */
export function markdownTables(results: readonly Result[]): string {
  const latencies = [...new Set(results.map(({ latency_ms }) => latency_ms))];
  const tables = latencies.flatMap((latency) => {
    const of = results.filter(({ latency_ms }) => latency_ms === latency);
    return Object.entries(FIGURES).map(
      ([figure, title]) =>
        `${latency} ms per answer, ${title}:\n\n${tableOf(of, figure as keyof typeof FIGURES)}`,
    );
  });
  return tables.join("\n\n");
}

function tableOf(results: readonly Result[], figure: keyof typeof FIGURES): string {
  const workloads = [...new Set(results.map(({ workload }) => workload))];
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const cell = (contestant: string, workload: string) => {
    const result = results.find((one) => one.contestant === contestant && one.workload === workload);
    if (result === undefined) return "";
    if (result.error !== undefined) return "failed";
    const text = result[figure].toLocaleString("en");
    return result.rows_equal ? text : `${text} (other rows)`;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...workloads.map((workload) => workload.replaceAll("_", " "))]),
    line(["---", ...workloads.map(() => "---")]).replaceAll(" ", ""),
    ...contestants.map((contestant) =>
      line([contestant.replaceAll("_", " "), ...workloads.map((workload) => cell(contestant, workload))]),
    ),
  ].join("\n");
}
