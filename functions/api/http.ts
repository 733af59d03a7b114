import { Readable } from "node:stream";
import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { Route } from "../contract/route.ts";
import type { RouteName, routes } from "../contract/routes.ts";
import { admission } from "./admission.ts";
import { compression } from "./compression.ts";
import { errorResponse } from "./error-response.ts";
import { parseBody } from "./parse-body.ts";
import type { ApiDeps, ApiEvent, ApiHandler, ApiRequest, HttpHandler, HttpResponse } from "./types.ts";
import { validateQuery } from "./validate-request.ts";

/** The description of a route. A bundle for one route imports it by itself, so it does not contain those of others. */
export type RouteOf<N extends RouteName> = (typeof routes)[N] & Route;

/**
 * Wraps a route's handler in the middlewares that all routes share. `plugin` is passed to Middy: on AWS it enables
 * response streaming. `observers` run before all other middlewares.
 */
export function httpHandler<N extends RouteName>(
  route: RouteOf<N>,
  handle: ApiHandler<N>,
  deps: ApiDeps,
  plugin: object = {},
  observers: middy.MiddlewareObj[] = [],
): HttpHandler {
  return middy(plugin)
    .use(observers)
    .use(compression())
    .use(errorResponse(deps))
    .before(({ event }) => {
      // API Gateway's test console sends null.
      event.headers ??= {};
    })
    .use(httpHeaderNormalizer({ canonical: false }))
    .use(route.open ? [] : admission(deps))
    .use(route.body ? parseBody(route) : [])
    .use(validateQuery(route))
    .handler(async (event: ApiEvent): Promise<HttpResponse> => {
      const request = {
        account: event.account,
        query: event.query,
        body: event.body,
        id: event.pathParameters?.id ?? "",
        headers: event.headers,
        closed: event.closed,
      } as ApiRequest<N>;
      const { json, content, headers, status = route.status } = await handle(request, deps);
      if (content !== undefined)
        return {
          statusCode: status,
          headers: { ...headers },
          body: Readable.from(content, { objectMode: false }),
        };
      if (json === undefined) return { statusCode: status, headers: { ...headers }, body: "" };
      return {
        statusCode: status,
        headers: { "content-type": "application/json", ...headers },
        body: await bodyOf(json),
      };
    }) as unknown as HttpHandler;
}

/** How much of a stream is read before the response begins. An error in this part still gets an error response. */
const CHECKED_BYTES = 256 * 1024;

async function bodyOf(json: unknown): Promise<string | Readable> {
  const isStream = typeof json === "object" && json !== null && Symbol.asyncIterator in json;
  if (!isStream) return JSON.stringify(json);
  const chunks = (json as AsyncIterable<string | Buffer>)[Symbol.asyncIterator]();
  const checked: Buffer[] = [];
  for (let bytes = 0; bytes < CHECKED_BYTES; ) {
    const { done, value } = await chunks.next();
    if (done) return Buffer.concat(checked).toString();
    const chunk = typeof value === "string" ? Buffer.from(value) : value;
    checked.push(chunk);
    bytes += chunk.length;
  }
  return Readable.from(joined(checked, chunks), { objectMode: false });
}

async function* joined<T>(first: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    // For a reader that leaves during `first`.
    await rest.return?.();
  }
}
