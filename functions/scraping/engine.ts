import { setTimeout as sleep } from "node:timers/promises";
import { RunFailure } from "../runs/failure.ts";
import type { Browsers, LeasedBrowser } from "./browser/browsers.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Scrape } from "./job.ts";
import { proxyFailure } from "./page/document.ts";
import { collectEvidence } from "./page/evidence.ts";
import { createPace, NotYet } from "./politeness/pace.ts";
import { createManners, delayOf, RETRY_AFTER_MAX_MS } from "./politeness/politeness.ts";
import { createRobots, type RobotsAccess } from "./politeness/robots.ts";
import { createLoadCounter, openSession, type Session } from "./session.ts";
import { type RunCheckpoint, runSteps } from "./steps/run-steps.ts";
import { CallTimeout, within } from "./time-limit.ts";

/** What should have ended with the budget is not waited for much longer. */
const GRACE_MS = 1_000;
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
    let from = job.from && { place: job.from.place as RunCheckpoint, taken: job.from.taken };
    const told = { count: from?.place.loads ?? 0 };
    const pace = createPace(context.turns, budget);
    const [first] = job.steps;
    if (first?.type === "visit" && delayOf(job) === 0) pace.ask(first.url);
    let browser: LeasedBrowser | undefined;
    // What robots.txt files say, and when a host was asked last, outlives a browser; the way to ask does not.
    const robots = createRobots(() => robotsAccess(browser), budget.pause);
    const manners = createManners({ job, robots, pace });
    let progressed = false;

    for (let attempt = 0; ; attempt += 1) {
      let session: Session | undefined;
      let pause = 0;
      browser = undefined;
      try {
        browser = await browsers.lease({
          loadImages: job.loadImages,
          userAgent: job.userAgent,
          upstream: context.upstream,
        });
        const loads = createLoadCounter(context.onPageLoad, told);
        session = openSession({ workplace: browser, context, loads, manners });
        const run = runSteps(session, job, from);
        for (;;) {
          const next = await inTime(run.next(), budget);
          if (next.done) return next.value;
          from = {
            place: next.value.place as RunCheckpoint,
            taken: (from?.taken ?? 0) + next.value.rows.length,
          };
          progressed = true;
          yield next.value;
        }
      } catch (caught) {
        const error = browser?.failure() ?? caught;
        // Which step the browser was at when it was ended is known by what that did to the step.
        if (error instanceof RunFailure && caught instanceof RunFailure) error.step ??= caught.step;
        if (!(error instanceof RunFailure)) throw error;
        if (error instanceof NotYet) return { notBefore: error.opensAt, failure: error };
        const isLate = budget.remaining() < LATE_MS;
        if (isLate && progressed) return "handover";
        const backoff = RESTART_MS[attempt];
        const document = session?.tab.document;
        if (document && document.status === error.httpStatus) await manners.heed(document.url, error);
        // The host's next turn is as late as the server wanted.
        const isHeard = (error.retryAfterMs ?? 0) <= RETRY_AFTER_MAX_MS;
        if (
          error.transient &&
          !isLate &&
          isHeard &&
          backoff !== undefined &&
          backoff < budget.remaining() / 2
        ) {
          pause = backoff;
        } else {
          if (session) error.evidence = await collectEvidence(session.tab);
          throw error;
        }
      } finally {
        await browser?.close();
      }
      await sleep(pause);
    }
  };

const robotsAccess = (browser: LeasedBrowser | undefined): RobotsAccess => ({
  proxyUrl: browser?.egress.proxyUrl ?? "",
  userAgent: browser?.identity.userAgent ?? "",
  proxyFailure: (url) => browser && proxyFailure(url, browser.egress),
});

/**
 * The last resort: every wait has an end of its own, and a run ends in time even where one of them should not.
 * @throws RunFailure `timeout`
 */
async function inTime<T>(promise: Promise<T>, budget: Budget): Promise<T> {
  try {
    return await within(budget.remaining() + GRACE_MS, promise);
  } catch (cause) {
    if (!(cause instanceof CallTimeout)) throw cause;
    throw new RunFailure(
      "timeout",
      "The page did not answer until the time for the run was used up. Check whether it opens in a browser, and whether the selectors are simple enough.",
      { cause },
    );
  }
}
