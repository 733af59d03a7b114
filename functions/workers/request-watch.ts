import { stopped } from "../runs/run-limits.ts";
import type { Claim } from "../store/runs/run-state.ts";
import { readRequests } from "../store/runs/run-stop.ts";
import { isWatched } from "../store/runs/run-watch.ts";
import type { Table } from "../store/table.ts";

/** How often an executor checks for requests to stop or watch its run. A check costs half a read unit. */
const CHECK_MS = 3_000;

export interface RequestWatch {
  /** Aborts when a client has asked to stop the run. The reason is a RunFailure. */
  stopped: AbortSignal;
  /** Ends the checks. */
  close(): void;
}

/** Checks repeatedly whether a run has to stop. While a client reads the log, each check calls `onWatched`. */
export function watchRequests(
  table: Table,
  claim: Claim,
  { now, onWatched }: { now: () => Date; onWatched: () => void },
): RequestWatch {
  const stopping = new AbortController();
  const check = setInterval(async () => {
    // Errors are ignored: the next check reads the same requests.
    const requests = await readRequests(table, claim).catch(() => undefined);
    if (requests === undefined) return;
    if (requests.stop_requested_at !== undefined) stopping.abort(stopped());
    else if (isWatched(requests, now())) onWatched();
  }, CHECK_MS);
  check.unref();
  return { stopped: stopping.signal, close: () => clearInterval(check) };
}
