import { stopped } from "../runs/run-limits.ts";
import type { Claim } from "../store/runs/run-state.ts";
import { readRequests } from "../store/runs/run-stop.ts";
import { isWatched } from "../store/runs/run-watch.ts";
import type { Table } from "../store/table.ts";

/** How often an executor checks whether its run was stopped or is watched. A check costs half a read unit. */
const LOOK_MS = 3_000;

export interface RequestWatch {
  /** Fires when somebody has asked for the run to be stopped. Its reason is the failure. */
  stopped: AbortSignal;
  close(): void;
}

/** Checks repeatedly whether a run has to stop. While somebody watches the run, each check calls `onWatched`. */
export function watchRequests(
  table: Table,
  claim: Claim,
  { now, onWatched }: { now: () => Date; onWatched: () => void },
): RequestWatch {
  const stopping = new AbortController();
  const look = setInterval(async () => {
    // If this check fails, the next one finds out.
    const requests = await readRequests(table, claim).catch(() => undefined);
    if (requests === undefined) return;
    if (requests.stop_requested_at !== undefined) stopping.abort(stopped());
    else if (isWatched(requests, now())) onWatched();
  }, LOOK_MS);
  look.unref();
  return { stopped: stopping.signal, close: () => clearInterval(look) };
}
