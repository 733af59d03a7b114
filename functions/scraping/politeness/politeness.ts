import { RunFailure } from "../../runs/failure.ts";
import type { ScrapeJob } from "../job.ts";
import type { Pace } from "./pace.ts";
import type { Robots } from "./robots.ts";

/** A server that wants to be left alone for longer is not waited for. */
export const RETRY_AFTER_MAX_MS = 15 * 60_000;

/** Who chose a page: a step of the scraper, or the site, by a pagination or the details of a list. */
export type ChosenBy = "step" | "site";

/** How a run treats the sites that it visits: what robots.txt says, and how soon one page follows the other. */
export interface Manners {
  /**
   * Resolves when a page may be loaded.
   * @throws RunFailure robots_disallowed, or host_busy when it is too long to wait for
   */
  enter(url: string, by: ChosenBy): Promise<void>;
  /** The same, for a page whose address is not known before it has come. */
  enterUnknown(from: string, by: ChosenBy): Promise<void>;
  /** Notes that a page has come, and looks whether it may be read. @throws RunFailure robots_disallowed */
  arrive(url: string, by: ChosenBy): Promise<void>;
  /** Whether a site's pages need not wait for one another, as far as is known by now. */
  isUnpaced(url: string): boolean;
  /** Whether all pages of a site may be loaded, too, so that nobody has to look where a link leads. */
  isFree(url: string): boolean;
  /** Begins to read the robots.txt that the run will need. */
  prepare(url: string): void;
  /** Takes a failure's Retry-After into account. */
  heed(url: string, failure: unknown): Promise<void>;
}

export interface MannersOptions {
  job: Pick<ScrapeJob, "steps" | "pagination" | "respectRobots">;
  robots: Robots;
  pace: Pace;
}

export function createManners({ job, robots, pace }: MannersOptions): Manners {
  const delayMs = delayOf(job);
  const obeys = (by: ChosenBy) => job.respectRobots ?? by === "site";
  const willObey = obeys("step") || (obeys("site") && followsSite(job));

  const check = async (url: string, by: ChosenBy) => {
    if (!obeys(by) || !isWeb(url)) return;
    const refusal = (await robots.of(url)).refusal(url);
    if (refusal !== undefined) throw disallowed(url, refusal);
  };
  const enterUnknown = async (from: string, by: ChosenBy) => {
    const crawlDelayMs = obeys(by) ? (await robots.of(from)).crawlDelayMs : 0;
    await pace.turn(from, Math.max(delayMs, crawlDelayMs));
  };
  const isUnpaced = (url: string) =>
    delayMs === 0 && (!obeys("site") || robots.known(url)?.crawlDelayMs === 0) && pace.isOpen(url);
  const prepare = (url: string) => {
    // What goes wrong with it is told to whoever needs it.
    if (willObey && isWeb(url)) robots.of(url).catch(() => {});
  };

  return {
    async enter(url, by) {
      prepare(url);
      await check(url, by);
      await enterUnknown(url, by);
    },
    enterUnknown,
    async arrive(url, by) {
      if (!isWeb(url)) return;
      pace.arrived(url);
      await check(url, by);
    },
    isUnpaced,
    isFree: (url) => isUnpaced(url) && (!obeys("site") || robots.known(url)?.isOpen === true),
    prepare,
    async heed(url, failure) {
      if (!(failure instanceof RunFailure) || failure.retryAfterMs === undefined) return;
      await pace.close(url, Math.min(failure.retryAfterMs, RETRY_AFTER_MAX_MS));
    },
  };
}

/** The least time between two pages of one host that a scraper asks for, in ms. */
export const delayOf = ({ pagination }: Pick<ScrapeJob, "pagination">) => pagination.delay_ms ?? 0;

/** Whether a run goes to pages that its steps don't name. */
const followsSite = ({ steps, pagination }: MannersOptions["job"]) =>
  pagination.type === "next_button" ||
  pagination.type === "url_template" ||
  steps.some((step) => step.type === "get_list" && step.details !== undefined);

const isWeb = (url: string) => /^https?:/.test(url);

const disallowed = (url: string, refusal: string) =>
  new RunFailure(
    "robots_disallowed",
    `${url} may not be visited: ${refusal}. Ask the site's owner for leave; with that, set "respect_robots": false in the scraper.`,
  );
