import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import { addAbortSignal, pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";
import { MAX_HEADER_BYTES } from "../../egress/proxy/response-head.ts";
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

/** An answer whose body is still arriving. */
export interface HttpStream extends Omit<HttpAnswer, "body"> {
  statusText: string;
  /** Decompressed where the status is one of success. Has to be read or destroyed. */
  body: Readable;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/**
 * Fetches pages through the egress proxy of a run, by connections that it keeps open.
 * @param isLenient whether it reads answers, as browsers do, that break the rules of HTTP
 */
export function createHttpClient(proxyUrl: string, { isLenient = false } = {}) {
  const options = {
    keepAlive: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl },
  };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const ask = (url: string, headers: Record<string, string>, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { headers, signal, maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: isLenient };
      const request = url.startsWith("https:")
        ? httpsGet(url, { agent: agents.https, ...options })
        : httpGet(url, { agent: agents.http, ...options });
      request.on("response", resolve);
      request.on("error", reject);
    });
  /** The answer, as soon as it starts. The signal ends its body, too. @throws Error if there is none */
  const open = async (
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpStream> => {
    const answer = await ask(url, headers, signal);
    const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
    const cookies = answer.headers["set-cookie"] ?? [];
    const body = status < 300 ? decoded(answer, signal) : answer;
    return { status, statusText, headers: headersOf(answer), cookies, body };
  };
  return {
    open,
    /** @throws BrowserRequired when there is no complete answer in time */
    async get(url: string, headers: Record<string, string>, timeoutMs: number): Promise<HttpAnswer> {
      try {
        const answer = await open(url, headers, AbortSignal.timeout(Math.ceil(timeoutMs)));
        return { ...answer, body: await whole(answer.body) };
      } catch {
        throw new BrowserRequired("its server gave no complete answer");
      }
    },
    close(): void {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The decoded body. The signal ends the decoding, too. @throws Error if its encoding is unknown */
function decoded(answer: IncomingMessage, signal: AbortSignal): Readable {
  const encodings = (answer.headers["content-encoding"] ?? "")
    .split(",", ENCODINGS_MAX + 1)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  try {
    if (encodings.length > ENCODINGS_MAX) throw new Error("The answer has too many encodings.");
    const stages = encodings.toReversed().map((name) => {
      const decoder = decoders[name];
      if (!decoder) throw new Error("The answer's encoding is unknown.");
      return decoder();
    });
    if (stages.length === 0) return answer;
    const body = pipeline([answer, ...stages], () => {}) as unknown as Readable;
    return addAbortSignal(signal, body);
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

async function whole(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_MAX_BYTES) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
