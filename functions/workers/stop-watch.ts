import { stopped } from "../runs/run-limits.ts";
import type { Claim } from "../store/runs/run-state.ts";
import { isStopRequested } from "../store/runs/run-stop.ts";
import type { Table } from "../store/table.ts";

/** How often an executor looks whether its run has to stop. A look costs half a read unit. */
const LOOK_MS = 3_000;

export interface StopWatch {
  /** Fires with the failure as its reason when somebody asks for the run to be stopped. */
  signal: AbortSignal;
  close(): void;
}

/** Watches whether a run has to stop. */
export function watchForStop(table: Table, claim: Claim): StopWatch {
  const stopping = new AbortController();
  const look = setInterval(async () => {
    // Without an answer, the next look tells.
    const isRequested = await isStopRequested(table, claim).catch(() => false);
    if (isRequested) stopping.abort(stopped());
  }, LOOK_MS);
  look.unref();
  return { signal: stopping.signal, close: () => clearInterval(look) };
}
