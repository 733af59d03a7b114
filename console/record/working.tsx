import { useEffect, useState } from "preact/hooks";
import { duration } from "../format/time.ts";
import type { LatestInspection } from "./model/latest-inspection.ts";

/** The duration is shown only after this time, in ms. */
const UNSEEN_MS = 2_000;

/** Shows which inspection is in progress, and for how long. */
export function Working({ of }: { of: LatestInspection }) {
  const { value: work } = of.work;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (work === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [work]);
  if (work === undefined) return null;
  const ms = now - work.since;
  return (
    <span class="working">
      <span class="status busy">{work.text}…</span>
      {ms > UNSEEN_MS && (
        <span class="soft small" aria-hidden="true">
          {duration(ms)}
        </span>
      )}
    </span>
  );
}
