import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { API_PATH, ASSETS, type ConsoleFiles, INDEX, isPage } from "../../console/build/files.ts";
import { headersOf } from "../../console/build/headers.ts";
import { acceptsGzip } from "../../functions/api/compression.ts";
import type { HttpResponse } from "../../functions/api/types.ts";

/** Answers requests for the console. Undefined: the address is not one of the console. */
export interface ConsoleSite {
  answer(
    method: string | undefined,
    path: string,
    headers: IncomingHttpHeaders,
  ): Promise<HttpResponse | undefined>;
}

/**
 * `getFiles` is called for each request, and decides itself what it keeps. `exampleUrl`: a page that the console offers to
 * those who have none.
 */
export function createConsoleSite(getFiles: () => Promise<ConsoleFiles>, exampleUrl?: string): ConsoleSite {
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
      // A person who mistypes an address gets a page that says so; a program gets the answer of the API.
      const isMistyped = !isAsset && !API_PATH.test(path) && wantsHtml(headers);
      if (!isAsset && !isPage(path) && !isMistyped) return undefined;
      const files = await getFiles();
      const name = isAsset ? path.slice(1) : INDEX;
      const content = files.get(name);
      if (content === undefined) return undefined;
      if (isAsset) return send(200, name, content, headers);
      const page = exampleUrl === undefined ? content : withExample(content, exampleUrl);
      return send(isPage(path) ? 200 : 404, name, page, headers);
    },
  };
}

const wantsHtml = ({ accept = "" }: IncomingHttpHeaders): boolean => accept.includes("text/html");

/** The page with the address of the example, where the console's home page looks for it. */
const withExample = (page: Uint8Array, url: string): Uint8Array =>
  Buffer.from(
    Buffer.from(page)
      .toString()
      .replace("<title>", () => `<meta name="gleaner-example" content="${encodeURI(url)}">\n<title>`),
  );

/** Calls `load` once, and again only if it failed. */
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
