import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, unzip, zstdDecompress } from "node:zlib";
import { BrowserRequired } from "./browser-required.ts";

/** A page whose HTML is larger is opened in the browser, which parses it while it arrives. */
const BODY_MAX_BYTES = 8 * 1024 ** 2;

const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {};
for (const [names, decode] of [
  [["gzip", "x-gzip", "deflate"], promisify(unzip)],
  [["br"], promisify(brotliDecompress)],
  [["zstd"], promisify(zstdDecompress)],
] as const)
  for (const name of names) decoders[name] = (body) => decode(body, { maxOutputLength: BODY_MAX_BYTES });

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
  const options = { keepAlive: true, proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl } };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const ask = (url: string, headers: Record<string, string>, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = url.startsWith("https:")
        ? httpsGet(url, { agent: agents.https, headers, signal })
        : httpGet(url, { agent: agents.http, headers, signal });
      request.on("response", resolve);
      request.on("error", reject);
    });
  return {
    async get(url, headers, timeoutMs) {
      try {
        const answer = await ask(url, headers, AbortSignal.timeout(timeoutMs));
        const body = await bodyOf(answer);
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

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_MAX_BYTES) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  let body: Buffer = Buffer.concat(chunks);
  const encodings = (answer.headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  for (const name of encodings.reverse()) {
    if (name === "" || name === "identity") continue;
    const decode = decoders[name];
    if (!decode) throw new Error("The answer's encoding is unknown.");
    body = await decode(body);
  }
  return body;
}
