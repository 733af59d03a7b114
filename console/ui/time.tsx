import { now } from "../format/now.ts";
import { exactTime, relativeTime } from "../format/time.ts";

/** A time as "3 minutes ago", with the exact time on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now.value)}
    </time>
  );
}
