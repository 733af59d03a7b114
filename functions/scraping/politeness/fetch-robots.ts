import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";

import { toEgressError } from "../../egress/egress-error.ts";
import type { RunFailure } from "../../runs/failure.ts";

/** As much of a robots.txt as RFC 9309 requires a crawler to read. */
export const MAX_BYTES = 500 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

/** A site's answer for its robots.txt. */
export type RobotsAnswer =
  | { state: "found"; text: string }
  | { state: "none" }
  | { state: "unreachable"; reason: string };

export interface RobotsRequest {
  /** The egress proxy of the run, which its browser uses, too. */
  proxyUrl: string;
  userAgent: string;
  /** Why nothing may be requested from this address, because it carries a secret; undefined: it may. */
  judge(url: string): Promise<RunFailure | undefined>;
  timeoutMs?: number;
}

/** Fetches `/robots.txt` of an origin and interprets the answer by RFC 9309. Never throws. */
export async function fetchRobots(origin: string, request: RobotsRequest): Promise<RobotsAnswer> {
  const { proxyUrl, timeoutMs = TIMEOUT_MS } = request;
  // No keep-alive: a run fetches this once per site.
  const proxyEnv = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
  const agents = { "http:": new HttpAgent({ proxyEnv }), "https:": new HttpsAgent({ proxyEnv }) };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let url = new URL("/robots.txt", origin);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const failure = await request.judge(url.href);
      if (failure) return { state: "unreachable", reason: failure.message };
      const answer = await ask(url, agents, request.userAgent, signal);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return { state: "found", text: await textOf(answer) };
      answer.destroy();
      if (String(answer.headers["proxy-status"] ?? "").startsWith("gleaner") || status >= 500)
        return { state: "unreachable", reason: `the server answered with HTTP ${status}` };
      if (status < 300 || status >= 400) return { state: "none" };
      const next = URL.parse(answer.headers.location ?? "", url.href);
      if (next === null || !/^https?:$/.test(next.protocol)) return { state: "none" };
      url = next;
    }
    return { state: "none" };
  } catch (error) {
    const reason = signal.aborted
      ? `there was no answer within ${timeoutMs / 1_000} seconds`
      : toEgressError(error, "the site").message;
    return { state: "unreachable", reason };
  }
}

type Agents = { "http:": HttpAgent; "https:": HttpsAgent };

function ask(url: URL, agents: Agents, userAgent: string, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { "user-agent": userAgent, accept: "text/plain,*/*;q=0.5", "accept-encoding": "gzip, br" };
  // Browsers read what Node.js refuses otherwise; a site that they can show must not be kept out by its robots.txt.
  const options = { headers, signal, insecureHTTPParser: true };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:"
        ? httpsGet(url, { agent: agents["https:"], ...options })
        : httpGet(url, { agent: agents["http:"], ...options });
    request.on("response", resolve);
    request.on("error", reject);
  });
}

/** The first bytes; what is beyond them is ignored. */
async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decoded(answer) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_BYTES) break;
  }
  answer.destroy();
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString();
}

function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return answer;
  // The decoder passes errors on to the reader.
  return pipeline(answer, encoding === "br" ? createBrotliDecompress() : createUnzip(), () => {});
}
