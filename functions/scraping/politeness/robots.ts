import robotsParser from "robots-parser";
import type { RunFailure } from "../../runs/failure.ts";
import { PRODUCT } from "../browser/identity.ts";
import { fetchRobots, type RobotsAnswer, type RobotsRequest } from "./fetch-robots.ts";

/** The package's types speak of a `default` that it does not have. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** Longer delays than this are not waited: a site that asks for more can be named by `delay_ms`. */
export const CRAWL_DELAY_MAX_MS = 30_000;
/** No rule of a real site is longer, nor is more of an address looked at: matching takes time for each pair of them. */
const MAX_LENGTH = 2_048;
/** Characters of rules with wildcards that are heeded: these cost the most, and real sites have a few kilobytes. */
const MAX_WILDCARDS = 64 * 1024;
/** Waits before a robots.txt is asked for again that could not be had. */
const BACKOFF_MS = [500, 1_500];

/** What one site's robots.txt says to us. */
export interface RobotsRules {
  /** Why a page may not be visited, for a person; undefined: it may. */
  refusal(url: string): string | undefined;
  crawlDelayMs: number;
  /** Whether there is nothing that it keeps us from. */
  isOpen: boolean;
}

/** How a run gets at a robots.txt. */
export interface RobotsAccess extends RobotsRequest {
  /** Why an address was not reached, where that is the fault of the run's upstream proxy. */
  proxyFailure(url: string): RunFailure | undefined;
}

/** The robots.txt files that a run has met, each fetched once. */
export interface Robots {
  /** @throws RunFailure proxy_failed: what the proxy kept us from says nothing of the site's wishes */
  of(url: string): Promise<RobotsRules>;
  /** The same, as far as it is known by now. */
  known(url: string): RobotsRules | undefined;
}

export function createRobots(access: () => RobotsAccess, pause: (ms: number) => Promise<void>): Robots {
  const asked = new Map<string, Promise<RobotsRules>>();
  const known = new Map<string, RobotsRules>();

  const load = async (origin: string): Promise<RobotsRules> => {
    const failure = () => access().proxyFailure(`${origin}/robots.txt`);
    let answer = await fetchRobots(origin, access());
    for (const ms of BACKOFF_MS) {
      if (answer.state !== "unreachable" || failure()?.transient === false) break;
      await pause(ms);
      answer = await fetchRobots(origin, access());
    }
    const fault = answer.state === "unreachable" ? failure() : undefined;
    if (fault) {
      // It has been tried again.
      fault.transient = false;
      throw fault;
    }
    const rules = readRobots(origin, answer);
    known.set(origin, rules);
    return rules;
  };
  return {
    of(url) {
      const { origin } = new URL(url);
      const rules = asked.get(origin) ?? load(origin);
      asked.set(origin, rules);
      return rules;
    },
    known: (url) => known.get(URL.parse(url)?.origin ?? ""),
  };
}

/** The rules for us, as RFC 9309 reads them: none where a site has no robots.txt, and no page where it can't be had. */
export function readRobots(origin: string, answer: RobotsAnswer): RobotsRules {
  const address = `${origin}/robots.txt`;
  if (answer.state === "none") return { refusal: () => undefined, crawlDelayMs: 0, isOpen: true };
  if (answer.state === "unreachable") {
    const refusal = () => `${address} could not be read (${answer.reason}), which keeps automated visits out`;
    return { refusal, crawlDelayMs: 0, isOpen: false };
  }
  const lines = bounded(answer.text.split(/\r\n|\r|\n/));
  const robots = parse(address, lines.join("\n"));
  const delay = robots.getCrawlDelay(PRODUCT) ?? 0;
  return {
    refusal(url) {
      if (robots.isAllowed(url.slice(0, MAX_LENGTH), PRODUCT) !== false) return undefined;
      const line = robots.getMatchingLineNumber(url.slice(0, MAX_LENGTH), PRODUCT);
      return `line ${line} of ${address} asks automated visitors to stay away from it`;
    },
    crawlDelayMs: delay > 0 ? Math.min(delay * 1_000, CRAWL_DELAY_MAX_MS) : 0,
    isOpen: delay <= 0 && !lines.some((line) => /^\s*disallow\s*:\s*[^\s#]/i.test(line)),
  };
}

/** The lines, without those that only somebody who wants to keep us busy would write; each keeps its number. */
function bounded(lines: readonly string[]): string[] {
  let wildcards = 0;
  return lines.map((line) => {
    if (line.length > MAX_LENGTH) return "";
    if (!/^\s*(dis)?allow\s*:.*\*/i.test(line)) return line;
    wildcards += line.length;
    return wildcards > MAX_WILDCARDS ? "" : line;
  });
}
