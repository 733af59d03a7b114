import { RunFailure } from "../../runs/failure.ts";
import type { ScrapeJob } from "../job.ts";
import { CONCURRENCY } from "../limits.ts";
import type { Pace } from "./pace.ts";
import { createLoadSlots } from "./pace.ts";
import type { Robots } from "./robots.ts";

/** A longer Retry-After is not waited for. */
export const RETRY_AFTER_MAX_MS = 15 * 60_000;

/** Statuses of a host that is asked for too much. */
const OVERLOADED = new Set([429, 503]);

/** Who chose a page: a step of the scraper, or the site, through the pagination or the details of a list. */
export type ChosenBy = "step" | "site";

export type Politeness = ReturnType<typeof createPoliteness>;

interface PolitenessOptions {
  job: Pick<ScrapeJob, "steps" | "pagination" | "respectRobots" | "concurrency">;
  robots: Robots;
  pace: Pace;
  /** Whether no page may load beside another one: the time of one would be that of the other. */
  isAlone?: boolean;
}

/** How a run treats the sites that it visits: robots.txt, and the time between pages. */
export function createPoliteness({ job, robots, pace, isAlone }: PolitenessOptions) {
  const delayMs = delayOf(job);
  const { concurrency = CONCURRENCY } = job;
  const tabs = isAlone ? 1 : concurrency;
  const slots = createLoadSlots(concurrency);
  const obeys = (by: ChosenBy) => job.respectRobots ?? by === "site";
  const willObey = obeys("step") || (obeys("site") && followsSite(job));

  const check = async (url: string, by: ChosenBy) => {
    if (!obeys(by) || !isWeb(url)) return;
    const refusal = (await robots.of(url)).refusal(url);
    if (refusal !== undefined) throw disallowed(url, refusal);
  };
  /** The same as `admit` for a page whose address is known only after it has loaded. */
  const admitUnknown = async (from: string, by: ChosenBy) => {
    const crawlDelayMs = obeys(by) ? (await robots.of(from)).crawlDelayMs : 0;
    await pace.turn(from, Math.max(delayMs, crawlDelayMs));
  };
  const isUnpaced = (url: string) =>
    delayMs === 0 && (!obeys("site") || robots.known(url)?.crawlDelayMs === 0) && pace.isOpen(url);
  /** How many pages of this host may load at the same time now: one if they need a delay or the host is overloaded. */
  const concurrencyFor = (url: string) => (isUnpaced(url) ? slots.limit(url) : 1);
  /** Starts to read the robots.txt that the run will need. */
  const prepare = (url: string) => {
    // Whoever needs it gets the error.
    if (willObey && isWeb(url)) robots.of(url).catch(() => {});
  };

  /**
   * Resolves when a page may be loaded.
   * @throws RunFailure robots_disallowed, or host_busy when the wait is too long
   */
  const admit = async (url: string, by: ChosenBy) => {
    prepare(url);
    await check(url, by);
    await admitUnknown(url, by);
  };

  return {
    admit,
    admitUnknown,
    /** Notes that a page has arrived, and checks that it may be read. @throws RunFailure robots_disallowed */
    async arrived(url: string, by: ChosenBy): Promise<void> {
      if (!isWeb(url)) return;
      pace.arrived(url);
      await check(url, by);
    },
    /** The most pages of a host that load in the browser at the same time. */
    concurrency: tabs,
    concurrencyFor,
    /** The same for pages that load in the browser. */
    tabsFor: (url: string): number => Math.min(tabs, concurrencyFor(url)),
    /** Loads a page when a slot is free and `admit` allows it. */
    load: <T>(url: string, by: ChosenBy, load: () => Promise<T>): Promise<T> =>
      slots.run(url, () => admit(url, by), load),
    /** Whether a site's pages need no delay and robots.txt disallows nothing, so that links need no check. */
    isUnrestricted: (url: string): boolean =>
      isUnpaced(url) && (!obeys("site") || robots.known(url)?.isOpen === true),
    prepare,
    /** Slows down if a failure shows that the host wants fewer requests, and respects its Retry-After header. */
    async backOff(url: string, failure: unknown): Promise<void> {
      if (!(failure instanceof RunFailure)) return;
      if (OVERLOADED.has(failure.httpStatus ?? 0)) slots.serialize(url);
      if (failure.retryAfterMs === undefined) return;
      await pace.close(url, Math.min(failure.retryAfterMs, RETRY_AFTER_MAX_MS));
    },
  };
}

/** The least time between two pages of one host that a scraper asks for, in ms. */
export const delayOf = ({ pagination }: Pick<ScrapeJob, "pagination">) => pagination.delay_ms ?? 0;

/** Whether a run goes to pages that its steps do not name. */
const followsSite = ({ steps, pagination }: PolitenessOptions["job"]) =>
  pagination.type === "next_button" ||
  pagination.type === "url_template" ||
  steps.some((step) => step.type === "get_list" && (step.details ?? step.each) !== undefined);

const isWeb = (url: string) => /^https?:/.test(url);

const disallowed = (url: string, refusal: string) =>
  new RunFailure(
    "robots_disallowed",
    `${url} may not be visited: ${refusal}. If the site's owner gives you permission, set "respect_robots": false in the scraper.`,
  );
