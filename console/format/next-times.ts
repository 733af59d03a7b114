import { nextOccurrence } from "../../functions/schedules/next-run.ts";
import { isAmbiguous, type ShownSchedule } from "./schedule.ts";

/*
 * Apart from schedule.ts, because it brings the calendar's library: import it with `import()`.
 */

/** The next times of a schedule, at most `count`, as the service computes them. */
export function nextTimes(schedule: ShownSchedule, count: number, now: Date): string[] {
  const anchor = new Date(schedule.next_run ?? now);
  const wanted = isAmbiguous(schedule) ? 1 : count;
  const times: string[] = [];
  // The first occurrence is the anchor itself.
  let after = new Date(Math.max(now.getTime(), anchor.getTime() - 1));
  while (times.length < wanted) {
    after = nextOccurrence(schedule, anchor, after);
    times.push(after.toISOString());
  }
  return times;
}
