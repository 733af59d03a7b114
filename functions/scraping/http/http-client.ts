import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";
import { MAX_HEADER_BYTES } from "../../egress/response-head.ts";
import { ENCODINGS_MAX } from "../limits.ts";

/** The browser has to open a page, because its HTML alone is not certain to give the same rows. The message ends a sentence. */
export class BrowserRequired extends Error {
  override readonly name: string = "BrowserRequired";
  /** The page, if it is not the one that the browser shows. */
  readonly url: string | undefined;
  /** Whether the browser has left the page that it showed. */
  hasLeft = false;

  constructor(message: string, { url }: { url?: string } = {}) {
    super(message);
    this.url = url;
  }
}

/** A page whose HTML is larger is opened in the browser, which parses it while it arrives. */
const BODY_MAX_BYTES = 8 * 1024 ** 2;

const decoders: Record<string, () => Transform> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  /** Its `Set-Cookie` headers. */
  cookies: string[];
  /** Decompressed. */
  body: Buffer;
}

export interface HttpClient {
  /** @throws BrowserRequired when there is no complete answer in time */
  get(url: string, headers: Record<string, string>, timeoutMs: number): Promise<HttpAnswer>;
  close(): void;
}

/** Fetches pages through the egress proxy of a run, by connections that it keeps open. */
export function createHttpClient(proxyUrl: string): HttpClient {
  const options = {
    keepAlive: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl },
  };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const ask = (url: string, headers: Record<string, string>, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { headers, signal, maxHeaderSize: MAX_HEADER_BYTES };
      const request = url.startsWith("https:")
        ? httpsGet(url, { agent: agents.https, ...options })
        : httpGet(url, { agent: agents.http, ...options });
      request.on("response", resolve);
      request.on("error", reject);
    });
  return {
    async get(url, headers, timeoutMs) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const answer = await ask(url, headers, signal);
        const body = await bodyOf(answer, signal);
        const cookies = answer.headers["set-cookie"] ?? [];
        return { status: answer.statusCode ?? 0, headers: headersOf(answer), cookies, body };
      } catch {
        throw new BrowserRequired("its server gave no complete answer");
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The decoded body. The signal ends the decoding, too. */
async function bodyOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const encodings = (answer.headers["content-encoding"] ?? "")
    .split(",", ENCODINGS_MAX + 1)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (encodings.length > ENCODINGS_MAX) throw new Error("The answer has too many encodings.");
  const stages = encodings.toReversed().map((name) => {
    const decoder = decoders[name];
    if (!decoder) throw new Error("The answer's encoding is unknown.");
    return decoder();
  });
  const chunks: Buffer[] = [];
  let length = 0;
  const collect = async (body: AsyncIterable<Buffer>) => {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > BODY_MAX_BYTES) throw new Error("The answer is too large.");
      chunks.push(chunk);
    }
  };
  const parts = [answer, ...stages, collect] as unknown as [IncomingMessage, Transform, typeof collect];
  await pipeline(...parts, { signal });
  return Buffer.concat(chunks);
}
