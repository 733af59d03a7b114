import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import type { LookupFunction } from "node:net";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { type Lookup, pinned, resolveChecked, systemLookups } from "../connect/resolve.ts";
import { EgressError, toEgressError } from "../egress-error.ts";
import { createPolicy, type PolicyOptions, type Target } from "../policy/address-policy.ts";

export interface FetchOptions {
  accept: string;
  /** For everything: lookups, connections, redirects and the response. */
  timeoutMs: number;
  /** The largest body, decompressed. */
  maxBytes: number;
}

export interface FetchedFile {
  /** The address after all redirects. */
  url: string;
  status: number;
  contentType: string;
  /** The decompressed body. Empty, unless the status is 2xx. */
  bytes: Buffer;
}

/**
 * Gets a file, with the redirects of its address.
 * @throws EgressError `blocked_address`, `name_not_found`, `connect_failed`, `timeout`, `limit_exceeded` or `bad_request`
 */
export type FetchFile = (url: string, options: FetchOptions) => Promise<FetchedFile>;

const MAX_REDIRECTS = 10;
const USER_AGENT = "Gleaner/1";
const decoders: Record<string, () => Transform> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** A fetcher that checks each address, also of redirects, and connects to the checked address. */
export function createFileFetcher({
  lookup = systemLookups,
  ...policy
}: PolicyOptions & { lookup?: Lookup }): FetchFile {
  const judge = createPolicy(policy);
  return async (address, { accept, timeoutMs, maxBytes }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let url = httpUrl(address);
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const target = judge(url);
        const addresses = await resolveChecked(target, lookup, timeoutMs);
        const answer = await ask(url, target, { accept, lookup: pinned(addresses), signal });
        const { statusCode: status = 0, headers } = answer;
        const next = status >= 300 && status < 400 ? headers.location : undefined;
        if (next === undefined) {
          const isFile = status >= 200 && status < 300;
          const bytes = isFile ? await bodyOf(answer, target, maxBytes, signal) : Buffer.alloc(0);
          answer.destroy();
          return { url: url.href, status, contentType: headers["content-type"] ?? "", bytes };
        }
        answer.destroy();
        url = httpUrl(new URL(next, url).href);
      }
      throw new EgressError("bad_request", `${url.host} redirects more than ${MAX_REDIRECTS} times`);
    } catch (error) {
      if (signal.aborted)
        throw new EgressError("timeout", `${url.host} did not answer within ${timeoutMs / 1000} seconds`);
      throw error;
    }
  };
}

function httpUrl(address: string): URL {
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new EgressError("bad_request", "The address must be an absolute http:// or https:// URL");
}

interface Message {
  accept: string;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** The response, as soon as it starts. */
function ask(url: URL, target: Target, { accept, lookup, signal }: Message): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsGet : httpGet)({
      agent: false,
      host: target.host,
      port: target.port,
      path: url.pathname + url.search,
      headers: { Host: url.host, accept, "accept-encoding": "gzip, br", "user-agent": USER_AGENT },
      lookup,
      signal,
    });
    request.on("response", resolve);
    request.on("error", (error) => reject(toEgressError(error, target.name)));
  });
}

/** The body, decoded until it is too large. */
async function bodyOf(
  answer: IncomingMessage,
  { name }: Target,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const decoder = decoders[encoding];
  if (decoder === undefined && encoding !== "identity")
    throw new EgressError("bad_request", `${name} sent the file with the encoding "${encoding}"`);
  const chunks: Buffer[] = [];
  let length = 0;
  const collect = async (body: AsyncIterable<Buffer>) => {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBytes)
        throw new EgressError("limit_exceeded", `The file of ${name} is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  };
  try {
    const parts = [answer, ...(decoder ? [decoder()] : []), collect];
    await pipeline(...(parts as [IncomingMessage, Transform, typeof collect]), { signal });
  } catch (error) {
    throw toEgressError(error, name);
  }
  return Buffer.concat(chunks);
}
