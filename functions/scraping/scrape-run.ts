import { setTimeout as sleep } from "node:timers/promises";
import { RunFailure } from "../runs/failure.ts";
import type { Browsers, LeasedBrowser } from "./browser.ts";
import { createBudget } from "./budget.ts";
import { collectEvidence } from "./evidence.ts";
import { type RunPlace, runSteps } from "./run-steps.ts";
import type { Scrape } from "./scrape.ts";
import { createLoadCounter, openSession, type Session } from "./session.ts";

/** Waits before a run is gone on with in a new browser, after a fault that may pass. */
const RESTART_MS = [200, 1_000];

/** A time-out that was cut from the budget may fire a little before it is used up. */
const LATE_MS = 50;

/**
 * The engine: runs the steps of a job in a browser of its own, and closes it on every path. After a fault that may
 * pass, such as a crashed page, it goes on in a new browser from behind the last batch.
 */
export const createScraper = (browsers: Browsers): Scrape =>
  async function* scrape(job, context) {
    const budget = createBudget(context.deadline);
    let from = job.from && { place: job.from.place as RunPlace, taken: job.from.taken };
    const told = { count: from?.place.loads ?? 0 };
    let progressed = false;

    for (let attempt = 0; ; attempt += 1) {
      let browser: LeasedBrowser | undefined;
      let session: Session | undefined;
      let pause = 0;
      try {
        browser = await browsers.lease({ loadImages: job.loadImages, upstream: context.upstream });
        const loads = createLoadCounter(context.onPageLoad, told);
        session = openSession({ workplace: browser, context, loads });
        const run = runSteps(session, job, from);
        for (;;) {
          const next = await run.next();
          if (next.done) return next.value;
          from = { place: next.value.place as RunPlace, taken: (from?.taken ?? 0) + next.value.rows.length };
          progressed = true;
          yield next.value;
        }
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        const isLate = budget.remaining() < LATE_MS;
        if (isLate && progressed) return "handover";
        const backoff = RESTART_MS[attempt];
        const wait = error.retryAfterMs ?? backoff;
        if (
          error.transient &&
          !isLate &&
          backoff !== undefined &&
          wait !== undefined &&
          wait < budget.remaining() / 2
        ) {
          pause = wait;
        } else {
          if (session) error.evidence = await collectEvidence(session.tab.page);
          throw error;
        }
      } finally {
        await browser?.close();
      }
      await sleep(pause);
    }
  };
