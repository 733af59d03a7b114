import { statusWord, statusWords } from "../../functions/contract/runs/status-words.ts";
import type { Run } from "../api/api.ts";

/** The newest runs that say how a scraper does, at most 20, newest first. Runs that a user stopped say nothing. */
export const tellingRuns = (runs: readonly Run[]): Run[] =>
  runs.filter((run) => run.status !== "running" && statusWord(run) !== statusWords.stopped).slice(0, 20);

/** When the oldest of the newest runs that were not just successful ended, ISO 8601; undefined: the newest run was. */
export function troubledSince(telling: readonly Run[]): string | undefined {
  const good = telling.findIndex((run) => statusWord(run) === statusWords.successful);
  const troubled = good < 0 ? telling : telling.slice(0, good);
  return troubled.at(-1)?.finished_at ?? undefined;
}
