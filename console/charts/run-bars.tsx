import { statusWord } from "../../functions/contract/runs/status-words.ts";
import type { Run } from "../api/api.ts";
import { counted } from "../format/numbers.ts";
import { duration, shortTime } from "../format/time.ts";
import { type Bar, Bars } from "./bars.tsx";

const barOf = (run: Run, value: number, text: string): Bar => ({
  key: run.id,
  label: shortTime(run.created_at),
  value,
  text: run.status === "failed" ? `${text} (${statusWord(run).word.toLowerCase()})` : text,
  tone: statusWord(run).tone as NonNullable<Bar["tone"]>,
  href: `/runs/${run.id}`,
});

/**
 * Bar charts of the rows and the duration of a scraper's finished runs. `runs` is newest first; the oldest is on the
 * left.
 */
export function RunBars({ runs }: { runs: readonly Run[] }) {
  const finished = runs.filter(({ finished_at }) => finished_at !== null).toReversed();
  if (finished.length < 2) return null;
  return (
    <div class="charts">
      <Bars
        title="Rows per run"
        headers={["Run", "Rows"]}
        bars={finished.map((run) => barOf(run, run.row_count, counted(run.row_count, "row")))}
      />
      <Bars
        title="Duration per run"
        headers={["Run", "Duration"]}
        bars={finished.map((run) => {
          const ms = Date.parse(run.finished_at ?? "") - Date.parse(run.started_at ?? run.created_at);
          return barOf(run, ms, duration(ms));
        })}
      />
    </div>
  );
}
