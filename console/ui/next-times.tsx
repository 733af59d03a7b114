import { useEffect, useState } from "preact/hooks";
import { now } from "../format/now.ts";
import { inWords, localTime, type ShownSchedule } from "../format/schedule.ts";
import { relativeTime } from "../format/time.ts";

const SHOWN = 5;

/** A schedule in words, and its next times. */
export function NextTimes({ schedule }: { schedule: ShownSchedule }) {
  const { interval, timezone, next_run, paused } = schedule;
  const [times, setTimes] = useState<string[]>();
  useEffect(() => {
    let isCurrent = true;
    import("../format/next-times.ts").then(
      ({ nextTimes }) =>
        isCurrent && setTimes(nextTimes({ interval, timezone, next_run }, SHOWN, new Date())),
      // If the module can't be loaded, the schedule in words is enough.
      () => isCurrent && setTimes([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [interval, timezone, next_run]);
  return (
    <div class="next-times">
      <p>
        <strong>{inWords(schedule)}</strong>
      </p>
      {paused ? (
        <p class="soft">Paused: it starts no runs.</p>
      ) : (
        <ol aria-label={`Next times, in the time zone ${timezone}`}>
          {(times ?? Array.from({ length: SHOWN }, () => undefined)).map((at, index) => (
            <li key={index}>
              {at === undefined ? (
                <span class="soft">…</span>
              ) : (
                <>
                  <time dateTime={at}>{localTime(at, timezone)}</time>{" "}
                  <span class="soft">{relativeTime(at, now.value, timezone)}</span>
                </>
              )}
            </li>
          ))}
          {times?.length === 1 && (
            <li class="soft">Then each month on the same day, or on the last one of a shorter month.</li>
          )}
        </ol>
      )}
    </div>
  );
}
