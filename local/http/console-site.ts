import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { API_PATH, ASSETS, type ConsoleFiles, INDEX, isPage } from "../../console/build/files.ts";
import { headersOf } from "../../console/build/headers.ts";
import { FACTS, type ServiceFacts } from "../../console/build/service-facts.ts";
import { acceptsGzip } from "../../functions/api/compression.ts";
import type { HttpResponse } from "../../functions/api/types.ts";

/** Serves the console. */
export interface ConsoleSite {
  /** The response to a request; undefined if the path is not one of the console. */
  answer(
    method: string | undefined,
    path: string,
    headers: IncomingHttpHeaders,
  ): Promise<HttpResponse | undefined>;
}

/**
 * `getFiles` is called for each request, so it has to cache the files itself. The console reads `facts` from its page.
 */
export function createConsoleSite(
  getFiles: () => Promise<ConsoleFiles>,
  facts: ServiceFacts = {},
): ConsoleSite {
  const compressed = new WeakMap<Uint8Array, Buffer>();
  const gzipped = (content: Uint8Array) => {
    const known = compressed.get(content) ?? gzipSync(content);
    compressed.set(content, known);
    return known;
  };
  const send = (statusCode: number, path: string, content: Uint8Array, headers: IncomingHttpHeaders) => {
    const zips = acceptsGzip(headers["accept-encoding"]?.toString());
    const body = zips ? gzipped(content) : content;
    return {
      statusCode,
      headers: {
        ...headersOf(path),
        vary: "accept-encoding",
        "content-length": String(body.byteLength),
        ...(zips && { "content-encoding": "gzip" }),
      },
      body: Readable.from([body]),
    };
  };
  return {
    async answer(method, path, headers) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const isAsset = path.startsWith(`/${ASSETS}/`);
      // For an unknown path, a browser gets the console's not-found page, and other clients get the API's response.
      const isMistyped = !isAsset && !API_PATH.test(path) && wantsHtml(headers);
      if (!isAsset && !isPage(path) && !isMistyped) return undefined;
      const files = await getFiles();
      const name = isAsset ? path.slice(1) : INDEX;
      const content = files.get(name);
      if (content === undefined) return undefined;
      if (isAsset) return send(200, name, content, headers);
      return send(isPage(path) ? 200 : 404, name, withFacts(content, facts), headers);
    },
  };
}

const wantsHtml = ({ accept = "" }: IncomingHttpHeaders): boolean => accept.includes("text/html");

/** Adds the facts to the page, as a meta element. */
function withFacts(page: Uint8Array, facts: ServiceFacts): Uint8Array {
  const escaped = JSON.stringify(facts)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
  const meta = `<meta name="${FACTS}" content="${escaped}">\n`;
  return Buffer.from(
    Buffer.from(page)
      .toString()
      .replace("<title>", () => `${meta}<title>`),
  );
}

/**
 * Returns a function that calls `load` once and then returns its result. If `load` fails, the next call tries it again.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= load().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
