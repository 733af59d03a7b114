import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "../abortable.ts";
import { RunFailure } from "../runs/failure.ts";
import { during } from "../stages.ts";
import type { Browsers } from "./browser/browsers.ts";
import type { LeasedBrowser } from "./browser/leased-browser.ts";
import { checkRequests, NamedHosts, type RequestCheck } from "./browser/sent-requests.ts";
import { type OwnAccess, ownAccess } from "./browser/site-access.ts";
import { type Budget, createBudget } from "./budget.ts";
import {
  AS_WRITTEN,
  type Batch,
  type Outcome,
  type Scrape,
  type ScrapeContext,
  type ScrapeJob,
  type SecretResolver,
  type SentRequest,
} from "./job.ts";
import { proxyFailure } from "./page/document.ts";
import { capturePage, explain } from "./page/pictures/capture.ts";
import { createPace, HostBusy } from "./politeness/pace.ts";
import { createPoliteness, delayOf, type Politeness, RETRY_AFTER_MAX_MS } from "./politeness/politeness.ts";
import { createRobots, type RobotsAccess } from "./politeness/robots.ts";
import { jsonSources } from "./selectors/json-selectors.ts";
import { createLoadCounter, Session } from "./session.ts";
import { type RunCheckpoint, START } from "./steps/run-checkpoint.ts";
import { StepRunner } from "./steps/run-steps.ts";
import { CallTimeout, within } from "./time-limit.ts";
import { GRACE_MS, TOLERANCE_MS } from "./timing.ts";
import { createWarnings } from "./warnings.ts";

/** The body of a request without one. */
const NOTHING = Buffer.alloc(0);

/** Waits before a run resumes in a new browser, after temporary failures without a batch between them. */
const RESTART_MS = [200, 1_000, 3_000];

/**
 * The engine: runs the steps of a job in a browser context of its own, and closes it on every path. After a temporary failure,
 * such as a crashed page, it resumes in a new browser after the last batch.
 */
export const createScraper =
  (browsers: Browsers): Scrape =>
  (job, context) =>
    new Engine(browsers, job, context).run();

class Engine {
  readonly #browsers: Browsers;
  readonly #job: ScrapeJob;
  readonly #context: ScrapeContext;
  readonly #budget: Budget;
  readonly #politeness: Politeness;
  /** Pages that were reported to the caller. */
  readonly #reported: { count: number };
  /** Where the next attempt resumes. */
  #from: (Omit<Batch, "rows"> & { checkpoint: RunCheckpoint; rowCount: number }) | undefined;
  #browser: LeasedBrowser | undefined;
  #session: Session | undefined;
  #hasProgressed = false;
  #isDone = false;
  #isCaptured = false;
  #isRealTime: boolean;
  #endCheck = async () => {};
  /** Judges a request of our own, if the run has secrets. */
  #judge: RequestCheck["judge"] | undefined;

  constructor(browsers: Browsers, job: ScrapeJob, context: ScrapeContext) {
    this.#browsers = browsers;
    this.#job = job;
    this.#context = context;
    this.#budget = createBudget(context.deadline, context.answerMs);
    this.#isRealTime = job.clock === "real";
    this.#from = job.from && {
      ...job.from,
      checkpoint: job.from.checkpoint as RunCheckpoint,
    };
    this.#reported = { count: this.#from?.checkpoint.loads ?? 0 };
    const pace = createPace(context.turns, this.#budget);
    const [first] = job.steps;
    if (first?.type === "visit" && delayOf(job) === 0) pace.ask(first.url);
    // robots.txt files and the last visits of hosts stay known if the browser is replaced, but the proxy changes with it.
    const robots = createRobots(() => this.#robotsAccess(), this.#budget.pause);
    this.#politeness = createPoliteness({ job, robots, pace, isAlone: browsers.sharesTime });
  }

  async *run(): AsyncGenerator<Batch, Outcome> {
    for (let attempt = 0; ; attempt += 1) {
      const from = this.#from;
      try {
        return yield* this.#attempt();
      } catch (error) {
        if (this.#from !== from) attempt = 0;
        const outcome = await this.#outcomeOf(error, RESTART_MS[attempt]);
        if (outcome instanceof RunFailure) {
          yield* this.#lastWarnings();
          throw outcome;
        }
        if (outcome !== "retry") return outcome;
      } finally {
        await this.#close();
      }
      // A stopped run ends at the begin of its next attempt.
      await sleep(RESTART_MS[attempt], undefined, { signal: this.#context.stopped }).catch(() => {});
    }
  }

  async *#attempt(): AsyncGenerator<Batch, Outcome> {
    this.#context.stopped?.throwIfAborted();
    const { loadImages, userAgent } = this.#job;
    const { upstream, secrets, account, onStage } = this.#context;
    const browser = await during(onStage, "browser", () =>
      this.#browsers.lease({ account, loadImages, userAgent, upstream }),
    );
    this.#browser = browser;
    const access = ownAccess(this.#job, secrets ?? AS_WRITTEN);
    if (secrets) await this.#checkWhatIsSent(browser, secrets, access);
    else if (access) await this.#checkRequests(browser, async () => undefined, access);
    this.#session = new Session({
      runContext: browser,
      context: this.#context,
      budget: this.#budget,
      loads: createLoadCounter(this.#context, this.#reported),
      politeness: this.#politeness,
      warnings: createWarnings(this.#from?.warnings),
      isRealTime: this.#isRealTime,
      engine: this.#job.engine ?? "browser",
      acceptStatus: this.#job.acceptStatus ?? [],
      isFirstRun: this.#job.isFirstRun ?? false,
      jsonSources: jsonSources(this.#job.steps),
      requests: { access, judge: async (request) => this.#judge?.(request) },
    });
    this.#isCaptured = false;
    const leave = (failure?: RunFailure) => this.#record(failure);
    const batches = new StepRunner(this.#session, this.#job, this.#from, leave).run();
    for (;;) {
      const next = await inTime(abortable(batches.next(), this.#context.stopped), this.#budget);
      if (next.done) {
        // The browser may have been terminated after the last steps had what they needed.
        const failure = browser.failure();
        if (failure) throw failure;
        if (next.value === "done") {
          await this.#record();
          this.#isDone = true;
        }
        return next.value;
      }
      const { checkpoint, rows, warnings = [] } = next.value;
      this.#from = {
        checkpoint: checkpoint as RunCheckpoint,
        rowCount: (this.#from?.rowCount ?? 0) + rows.length,
        warnings,
      };
      this.#hasProgressed = true;
      yield next.value;
    }
  }

  /** Keeps secrets from other hosts than their own. */
  async #checkWhatIsSent(
    browser: LeasedBrowser,
    secrets: SecretResolver,
    access: OwnAccess | undefined,
  ): Promise<void> {
    const named = new NamedHosts();
    const judge = async (request: SentRequest) => {
      const failure = await secrets.refusal(request);
      if (failure === undefined) named.add(request.url);
      return failure;
    };
    this.#judge = judge;
    await this.#checkRequests(browser, judge, access);
    // What the browser does not show before it sends it is only stopped here: by the name of its host.
    const mayReach = async (authority: string) => {
      const failure = await secrets.refusal({ url: `https://${authority}/`, headers: [], body: NOTHING });
      if (failure) browser.end(failure);
      return failure === undefined && named.wait(authority);
    };
    const isOwn = (authority: string) => !secrets.isKeptFrom(`https://${authority}/`);
    browser.egress.checkTargets((authority) => isOwn(authority) || mayReach(authority));
    secrets.onFirstUse(() => browser.egress.closeTunnels(isOwn));
    browser.egress.checkSockets((authority) => {
      const message = secrets.socketRefusal(`https://${authority}/`);
      if (message) this.#session?.warnings.add({ code: "websocket_closed", message, step: null });
      return message === undefined;
    });
    browser.traffic.onSocketMessage((url, body) => {
      void secrets.refusal({ url: url.replace(/^ws/, "http"), headers: [], body }).then((failure) => {
        if (failure) browser.end(failure);
      });
    });
  }

  async #checkRequests(
    { browser, end, context }: LeasedBrowser,
    judge: RequestCheck["judge"],
    access: OwnAccess | undefined,
  ): Promise<void> {
    this.#endCheck = await checkRequests(browser, { judge, onRefused: end, access });
    if (access) await context.addCookies(access.cookies);
  }

  /** The warnings that came after the last batch. */
  *#lastWarnings(): Generator<Batch> {
    const warnings = this.#session?.warnings;
    if (!warnings?.isChanged) return;
    const checkpoint = this.#from?.checkpoint ?? START;
    yield { rows: [], checkpoint, warnings: warnings.all() };
  }

  /** Decides what an error leads to: a failure, a later attempt, or a retry. */
  async #outcomeOf(caught: unknown, backoff: number | undefined): Promise<Outcome | RunFailure | "retry"> {
    const error = this.#browser?.failure() ?? caught;
    // If the browser was terminated, the error that this caused names the step.
    if (error instanceof RunFailure && caught instanceof RunFailure) error.step ??= caught.step;
    if (!(error instanceof RunFailure)) throw error;
    if (error instanceof HostBusy) return { notBefore: error.opensAt, failure: error };
    const remaining = this.#budget.remaining();
    const isOutOfTime = remaining < TOLERANCE_MS;
    if (isOutOfTime && this.#hasProgressed) return "handover";
    const document = this.#session?.tab.document;
    if (document && document.status === error.httpStatus) await this.#politeness.backOff(document.url, error);
    // This execution does not wait for a longer Retry-After. It delays the host's next turn.
    const isSoon = (error.retryAfterMs ?? 0) <= RETRY_AFTER_MAX_MS;
    const hasTime = !isOutOfTime && backoff !== undefined && backoff < remaining / 2;
    // A script that waits in a loop for time to pass never ends in virtual time, which stops during a task.
    if (this.#session?.isStuckBy(error) && !this.#isRealTime && hasTime) {
      this.#isRealTime = true;
      return "retry";
    }
    if (this.#context.stopped?.aborted) return error;
    if (error.transient && isSoon && hasTime) return "retry";
    await this.#record(error);
    return error;
  }

  /** Keeps what is wanted of the page that the steps ended at, with their failure. */
  async #record(failure?: RunFailure): Promise<void> {
    if (failure === undefined) await this.#waitForLastPage();
    else if (this.#session) await explain(failure, this.#session.tab, this.#budget);
    if (this.#isCaptured) return;
    await this.#capture(failure);
    this.#isCaptured = true;
  }

  /** Waits until the last page is stable, if it is captured and the last step has not read it. */
  async #waitForLastPage(): Promise<void> {
    const last = this.#job.steps.length - 1;
    const type = this.#job.steps[last]?.type;
    const session = this.#session;
    const { capture } = this.#context;
    if (!capture || capture.wants || !session || type === "get_list" || type === "get_text") return;
    try {
      await inTime(session.tab.settle(), this.#budget);
      session.checkLoads();
    } catch (error) {
      const failure = session.failureOf(error);
      if (failure instanceof RunFailure) failure.step ??= last;
      throw failure;
    }
  }

  /** Captures the page if that was asked for. A failure to do so does not change the result of the run. */
  async #capture(failure?: RunFailure): Promise<void> {
    const { capture } = this.#context;
    if (!capture || !this.#session || capture.wants?.(failure, this.#from?.warnings ?? []) === false) return;
    await capturePage(this.#session.tab, capture).catch(() => {});
  }

  async #close(): Promise<void> {
    await this.#endCheck();
    await this.#browser?.close(this.#isDone);
    this.#browser = undefined;
    this.#session = undefined;
  }

  #robotsAccess(): RobotsAccess {
    const browser = this.#browser;
    return {
      proxyUrl: browser?.egress.proxyUrl ?? "",
      userAgent: browser?.identity.userAgent ?? "",
      judge: async (url) => this.#judge?.({ url, headers: [], body: NOTHING }),
      proxyFailure: (url) => browser && proxyFailure(url, browser.egress),
    };
  }
}

/**
 * A last safeguard: each wait has its own timeout, but a run must end in time even if one of them fails.
 * @throws RunFailure `timeout`
 */
async function inTime<T>(promise: Promise<T>, budget: Budget): Promise<T> {
  try {
    return await within(budget.remaining() + GRACE_MS, promise);
  } catch (cause) {
    if (!(cause instanceof CallTimeout)) throw cause;
    throw new RunFailure(
      "timeout",
      "The page did not answer before the run reached its time limit. Check whether it opens in a browser, and whether the selectors are simple enough.",
      { cause },
    );
  }
}
