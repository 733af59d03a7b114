import { nextOccurrence } from "../../functions/schedules/next-run.ts";
import { isAmbiguous, type ShownSchedule } from "./schedule.ts";

/*
 * Import this module with `import()`. It is separate from schedule.ts because it loads the large calendar library.
 */

/**
 * The next times of a schedule in ISO 8601, computed like those of the service: `count` times, or 1 if it is ambiguous.
 */
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
