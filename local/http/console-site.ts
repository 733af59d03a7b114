import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { ASSETS, type ConsoleFiles, INDEX, isPage } from "../../console/build/files.ts";
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

/** `getFiles` is called for each request, and decides itself what it keeps. */
export function createConsoleSite(getFiles: () => Promise<ConsoleFiles>): ConsoleSite {
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
      const isMistyped = !isAsset && !path.startsWith("/v1/") && wantsHtml(headers);
      if (!isAsset && !isPage(path) && !isMistyped) return undefined;
      const files = await getFiles();
      const name = isAsset ? path.slice(1) : INDEX;
      const content = files.get(name);
      if (content === undefined) return undefined;
      return send(isAsset || isPage(path) ? 200 : 404, name, content, headers);
    },
  };
}

const wantsHtml = ({ accept = "" }: IncomingHttpHeaders): boolean => accept.includes("text/html");

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
