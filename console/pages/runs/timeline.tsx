import type { Log, Run } from "../../api/api.ts";
import { forConsole } from "../../format/advice.ts";
import { counted } from "../../format/numbers.ts";
import { stepInWords } from "../../format/steps.ts";
import { duration } from "../../format/time.ts";
import { SafeLink } from "../../ui/safe-link.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import type { LoadedLog } from "./use-log.ts";

/** The events of a run, oldest first. */
export function Timeline({ run, log: { events, isComplete, error } }: { run: Run; log: LoadedLog }) {
  if (events.length === 0) {
    if (error !== undefined) return <ErrorState error={error} />;
    if (!isComplete) return <Loading what="the timeline" lines={8} />;
    return <Empty title="Nothing was logged">Runs of older versions have no timeline.</Empty>;
  }
  const start = Date.parse(run.created_at);
  return (
    <ol class="timeline">
      {events.map((event, index) => (
        <Event key={event.seq} event={event} gap={gapBefore(events, index)} start={start} run={run} />
      ))}
    </ol>
  );
}

/** How many events are missing from the log before this one. */
const gapBefore = (events: Log["data"], index: number): number =>
  index === 0 ? 0 : (events[index]?.seq ?? 0) - (events[index - 1]?.seq ?? 0) - 1;

interface EventProps {
  event: Log["data"][number];
  gap: number;
  start: number;
  run: Run;
}

function Event({ event, gap, start, run }: EventProps) {
  const { at, code, step, message, url, rows, ms } = event;
  const shown = step === null ? undefined : run.steps[step];
  return (
    <>
      {gap > 0 && <li class="timeline-gap soft">{counted(gap, "event")} not kept</li>}
      <li class={`timeline-event ${code}`}>
        <span class="timeline-at">{duration(Date.parse(at) - start)}</span>
        <div>
          <p>
            {code === "step" && shown !== undefined ? stepInWords(shown) : forConsole(message)}
            {code !== "rows" && code !== "successful" && rows !== undefined && ` · ${counted(rows, "row")}`}
          </p>
          {url !== undefined && (
            <p class="hint">
              <SafeLink value={url} />
            </p>
          )}
        </div>
        <span class="timeline-took">{ms === undefined ? "" : duration(ms)}</span>
      </li>
    </>
  );
}
