import { Readable } from "node:stream";
import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { Route } from "../contract/route.ts";
import type { RouteName, routes } from "../contract/routes.ts";
import { admission } from "./admission.ts";
import { compression } from "./compression.ts";
import { errorResponse } from "./error-response.ts";
import { parseBody } from "./parse-body.ts";
import type {
  ApiDeps,
  ApiEvent,
  ApiHandler,
  ApiRequest,
  ApiResponse,
  HttpHandler,
  HttpResponse,
} from "./types.ts";
import { validateQuery } from "./validate-request.ts";

/** The description of one route. Each Lambda function imports only its own, to keep its bundle small. */
export type RouteOf<N extends RouteName> = (typeof routes)[N] & Route;

/**
 * Wraps the handler of a route in the middlewares that all routes share.
 * @param plugin passed to Middy; on AWS, it enables response streaming
 * @param observers middlewares that run before all others
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
      // In events of the test console of API Gateway, headers are null.
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
      const answer = await handle(request, deps);
      const { json, content, headers, status = route.status } = answer;
      if (event.httpMethod === "HEAD") return headOf(answer, status);
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

/** The response to HEAD: that to GET without its body, which is not read. */
async function headOf({ json, content, headers }: ApiResponse, status: number): Promise<HttpResponse> {
  for (const stream of [json, content]) if (isStream(stream)) await stream[Symbol.asyncIterator]().return?.();
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return { statusCode: status, headers: { ...type, ...headers }, body: "" };
}

const isStream = (body: unknown): body is AsyncIterable<string | Buffer> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

/** The part of a stream that is read before the response begins, so that errors in it still get an error response. */
const CHECKED_BYTES = 256 * 1024;

/** A value as JSON text. For a stream of JSON text, the text if it is short, or else a stream. */
async function bodyOf(json: unknown): Promise<string | Readable> {
  if (!isStream(json)) return JSON.stringify(json);
  const chunks = json[Symbol.asyncIterator]();
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

/** Yields the first items, then the rest. Closes `rest` at the end. */
async function* joined<T>(first: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    // `yield*` above closes `rest` only if the reader has reached it.
    await rest.return?.();
  }
}
