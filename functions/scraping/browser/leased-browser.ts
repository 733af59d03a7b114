import { setTimeout as sleep } from "node:timers/promises";
import type { RunFailure } from "../../runs/failure.ts";
import { within } from "../time-limit.ts";
import { BROWSER_MS } from "../timing.ts";
import type { Launched } from "./launch.ts";
import { memoryOf, processesOf, renderersOf } from "./process-usage.ts";
import { openRunContext, type RunContext, type RunContextOptions } from "./run-context.ts";

/** What a browser without pages may use, in bytes: an empty one uses 40 MB. */
const MOST_MEMORY = 200 * 1024 ** 2;

/** A browser process that only one run uses, with an open tab. */
export interface LeasedBrowser extends RunContext {
  /** Why it was terminated during the run: its page exceeded a limit, or was about to send a secret elsewhere. */
  failure(): RunFailure | undefined;
  /** Terminates it. The first failure counts. */
  end(failure: RunFailure): void;
  /**
   * Closes the run's context, and ends the process within a time limit with all that it left on disk. Never throws.
   * @param isGood whether the run went well: the process may stay, if nothing of the run is left in it
   */
  close(isGood?: boolean): Promise<void>;
}

interface LeaseEvents {
  /** Whether the process may stay after a run that went well. */
  canStay: () => boolean;
  /** Called when the run has left, and the process stays. */
  onLeft: () => void;
  onClosed: () => void;
}

/** @throws whatever keeps the browser from opening a page; it is closed then */
export async function leaseOf(
  launched: Launched,
  { canStay, onLeft, onClosed, ...options }: Omit<RunContextOptions, "onExcess"> & LeaseEvents,
): Promise<LeasedBrowser> {
  const { guard } = launched;
  let closing: Promise<void> | undefined;
  // Late events of a run must not end the next one.
  const end = (failure: RunFailure) => {
    if (closing === undefined) guard.end(failure);
  };
  try {
    const runContext = await openRunContext(launched.browser, { ...options, onExcess: end });
    const close = async (isGood: boolean) => {
      const stays = isGood && canStay() && (await hasLeft(launched, runContext));
      await Promise.all([stays ? guard.restart() : launched.close(), runContext.egress.close()]);
      onClosed();
      if (stays) onLeft();
    };
    return {
      ...runContext,
      failure: guard.failure,
      end,
      close(isGood = false) {
        closing ??= close(isGood);
        return closing;
      },
    };
  } catch (error) {
    await launched.close();
    throw error;
  }
}

/** Closes a run's context. Returns whether nothing of the run is left. */
async function hasLeft({ browser, guard, pid }: Launched, { context }: RunContext): Promise<boolean> {
  const closed = within(BROWSER_MS.context, context.close()).then(
    () => true,
    () => false,
  );
  if (!(await closed)) return false;
  const end = Date.now() + BROWSER_MS.context;
  while (renderersOf(processesOf(pid)).length > 0) {
    if (Date.now() >= end) return false;
    await sleep(BROWSER_MS.look);
  }
  return (
    browser.isConnected() &&
    browser.contexts().length === 0 &&
    guard.failure() === undefined &&
    memoryOf(processesOf(pid)) < MOST_MEMORY
  );
}
