import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { abortable } from "../../abortable.ts";
import { type Lookup, pinned, resolveChecked, systemLookups } from "../connect/resolve.ts";
import { EgressError, toEgressError } from "../egress-error.ts";
import { createPolicy, type PolicyOptions, type Target } from "../policy/address-policy.ts";
import { requestBody } from "./request-body.ts";

export interface PosterOptions extends PolicyOptions {
  lookup?: Lookup;
}

export interface PostOptions {
  /** Another method. */
  method?: "GET";
  headers: Record<string, string>;
  body: string | AsyncIterable<string | Uint8Array>;
  /** For everything: lookup, connection, request and response. */
  timeoutMs: number;
  /** How much of the response is read. */
  maxResponseBytes: number;
}

export interface PostAnswer {
  status: number;
  /** The first bytes of the response, as text. */
  body: string;
  durationMs: number;
}

/**
 * Sends one request, a POST by default, without following redirects.
 * @throws EgressError `blocked_address`, `name_not_found`, `connect_failed`, `timeout` or `bad_request`, and any error of
 * the body's iterator
 */
export type Post = (url: string, options: PostOptions) => Promise<PostAnswer>;

export function createPoster({ lookup = systemLookups, ...policy }: PosterOptions): Post {
  const judge = createPolicy(policy);
  return async (address, options) => {
    const start = performance.now();
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new EgressError("bad_request", "The address must be an absolute http:// or https:// URL");
    }
    const target = judge(url);
    const deadline = AbortSignal.timeout(options.timeoutMs);
    try {
      const addresses = await resolveChecked(target, lookup, options.timeoutMs);
      const body = await abortable(requestBody(options.body), deadline);
      const { method = "POST", headers } = options;
      const message = { method, headers, body, lookup: pinned(addresses), signal: deadline };
      const answer = await send(url, target, message);
      const text = await firstBytes(answer, options.maxResponseBytes);
      // The response may have arrived before the whole body was sent.
      answer.socket.destroy();
      return {
        status: answer.statusCode as number,
        body: text,
        durationMs: Math.round(performance.now() - start),
      };
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new EgressError("timeout", `${target.name} did not answer within ${options.timeoutMs} ms`);
    }
  };
}

interface Message {
  method: string;
  headers: Record<string, string>;
  body: Buffer | Readable;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** The response, as soon as it starts. */
function send(
  url: URL,
  target: Target,
  { method, headers, body, lookup, signal }: Message,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)({
      // Deliveries to one host are minutes apart, so connections are not kept.
      agent: false,
      method,
      host: target.host,
      port: target.port,
      path: url.pathname + url.search,
      headers: { ...headers, Host: url.host },
      lookup,
      signal,
    });
    request.on("response", resolve);
    request.on("error", (error) => reject(toEgressError(error, target.name)));
    if (Buffer.isBuffer(body)) {
      request.end(body);
      return;
    }
    // The request would report the body's error only as an abort. It reports the connection's errors itself.
    body.on("error", reject);
    pipeline(body, request, () => {});
  });
}

/**
 * Reads up to `max` bytes. The status decides about success, so a body that is slow or breaks off is used as far as it
 * has arrived.
 */
async function firstBytes(answer: IncomingMessage, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= max) break;
    }
  } catch {
    // Cut short; see above.
  }
  return Buffer.concat(chunks).subarray(0, max).toString();
}
