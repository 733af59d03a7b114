import type { Readable } from "node:stream";
import robotsParser from "robots-parser";
import { toEgressError } from "../../egress/egress-error.ts";
import type { RunFailure } from "../../runs/failure.ts";
import { PRODUCT } from "../browser/identity.ts";
import { createHttpClient } from "../http/http-client.ts";
import { ROBOTS } from "../limits.ts";
import { CRAWL_DELAY_MAX_MS, POLITE_MS } from "../timing.ts";

/** The package's types speak of a `default` that it does not have. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** Characters of rules with wildcards that are used: these cost the most, and real sites have a few kilobytes. */
const MAX_WILDCARDS = 64 * 1024;
/** Waits before a robots.txt that failed is fetched again. */
const BACKOFF_MS = [500, 1_500];

/** What one site's robots.txt says to Gleaner. */
interface RobotsRules {
  /** Why a page may not be visited, in words; undefined: it may. */
  refusal(url: string): string | undefined;
  crawlDelayMs: number;
  /** Whether it disallows nothing. */
  isOpen: boolean;
}

/** How a run fetches a robots.txt. */
export interface RobotsAccess extends RobotsRequest {
  /** Why an address was not reached, where that is the fault of the run's upstream proxy. */
  proxyFailure(url: string): RunFailure | undefined;
}

export type Robots = ReturnType<typeof createRobots>;

/** The robots.txt files that a run needs, each fetched once. */
export function createRobots(access: () => RobotsAccess, pause: (ms: number) => Promise<void>) {
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
      // It has been retried.
      fault.transient = false;
      throw fault;
    }
    const rules = readRobots(origin, answer);
    known.set(origin, rules);
    return rules;
  };
  return {
    /** @throws RunFailure proxy_failed: a failure of the proxy says nothing about the site */
    async of(url: string): Promise<RobotsRules> {
      const { origin } = new URL(url);
      // A page may have written a secret into the address of the next one.
      const failure = await access().judge(url);
      if (failure) throw failure;
      const rules = asked.get(origin) ?? load(origin);
      asked.set(origin, rules);
      return rules;
    },
    /** The same, as far as it is known by now. */
    known: (url: string): RobotsRules | undefined => known.get(URL.parse(url)?.origin ?? ""),
  };
}

/** The rules that apply to Gleaner, by RFC 9309: no rules where a site has no robots.txt, no page where it can't be fetched. */
export function readRobots(origin: string, answer: RobotsAnswer): RobotsRules {
  const address = `${origin}/robots.txt`;
  if (answer.state === "none") return { refusal: () => undefined, crawlDelayMs: 0, isOpen: true };
  if (answer.state === "unreachable") {
    const refusal = () => `${address} could not be read (${answer.reason}), which disallows automated visits`;
    return { refusal, crawlDelayMs: 0, isOpen: false };
  }
  const lines = bounded(answer.text.split(/\r\n|\r|\n/));
  const robots = parse(address, lines.join("\n"));
  const delay = robots.getCrawlDelay(PRODUCT) ?? 0;
  return {
    refusal(url) {
      if (robots.isAllowed(url.slice(0, ROBOTS.rule), PRODUCT) !== false) return undefined;
      const line = robots.getMatchingLineNumber(url.slice(0, ROBOTS.rule), PRODUCT);
      return `line ${line} of ${address} disallows it for automated visitors`;
    },
    crawlDelayMs: delay > 0 ? Math.min(delay * 1_000, CRAWL_DELAY_MAX_MS) : 0,
    isOpen: delay <= 0 && !lines.some((line) => /^\s*disallow\s*:\s*[^\s#]/i.test(line)),
  };
}

/** The lines without those that only an attacker would write; each keeps its number. */
function bounded(lines: readonly string[]): string[] {
  let wildcards = 0;
  return lines.map((line) => {
    if (line.length > ROBOTS.rule) return "";
    if (!/^\s*(dis)?allow\s*:.*\*/i.test(line)) return line;
    wildcards += line.length;
    return wildcards > MAX_WILDCARDS ? "" : line;
  });
}

/** As much of a robots.txt as RFC 9309 requires a crawler to read. */
export const MAX_BYTES = 500 * 1024;

/** A site's answer for its robots.txt. */
type RobotsAnswer =
  | { state: "found"; text: string }
  | { state: "none" }
  | { state: "unreachable"; reason: string };

interface RobotsRequest {
  /** The egress proxy of the run, which its browser uses, too. */
  proxyUrl: string;
  userAgent: string;
  /** Why nothing may be requested from this address, because it carries a secret; undefined: it may. */
  judge(url: string): Promise<RunFailure | undefined>;
  timeoutMs?: number;
}

/** Fetches `/robots.txt` of an origin and interprets the answer by RFC 9309. Never throws. */
export async function fetchRobots(origin: string, request: RobotsRequest): Promise<RobotsAnswer> {
  const { proxyUrl, userAgent, timeoutMs = POLITE_MS.robots } = request;
  // A site that browsers can show must not be kept out by its robots.txt.
  const client = createHttpClient(proxyUrl, { isLenient: true });
  const sent = { "user-agent": userAgent, accept: "text/plain,*/*;q=0.5", "accept-encoding": "gzip, br" };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let url = new URL("/robots.txt", origin);
    for (let redirects = 0; redirects <= ROBOTS.redirects; redirects += 1) {
      const failure = await request.judge(url.href);
      if (failure) return { state: "unreachable", reason: failure.message };
      const { status, headers, body } = await client.open(url.href, sent, signal);
      if (status >= 200 && status < 300) return { state: "found", text: await textOf(body) };
      body.destroy();
      if (headers["proxy-status"]?.startsWith("gleaner") || status >= 500)
        return { state: "unreachable", reason: `the server answered with HTTP ${status}` };
      if (status < 300 || status >= 400) return { state: "none" };
      const next = URL.parse(headers.location ?? "", url.href);
      if (next === null || !/^https?:$/.test(next.protocol)) return { state: "none" };
      url = next;
    }
    return { state: "none" };
  } catch (error) {
    const reason = signal.aborted
      ? `there was no answer within ${timeoutMs / 1_000} seconds`
      : toEgressError(error, "the site").message;
    return { state: "unreachable", reason };
  } finally {
    client.close();
  }
}

/** The first bytes; what is beyond them is ignored. */
async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString();
}
