import { Readable } from "node:stream";
import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import { mcpRoutes } from "../contract/mcp-routes.ts";
import { isConditional, type Route } from "../contract/route.ts";
import { admission } from "./admission.ts";
import { audit } from "./audit.ts";
import { compression } from "./compression.ts";
import { unlessKnown } from "./conditional.ts";
import { errorResponse } from "./error-response.ts";
import { HttpError } from "./http-error.ts";
import { parseBody } from "./parse-body.ts";
import type {
  AnyRequest,
  ApiDeps,
  ApiEvent,
  ApiMiddleware,
  ApiResponse,
  HttpHandler,
  HttpResponse,
} from "./types.ts";
import { validateQuery } from "./validate-request.ts";

/** How handlers run in an environment. */
export interface HttpOptions {
  /** Passed to Middy; on AWS, it enables response streaming. */
  plugin?: object;
  /** Middlewares that run before all others. */
  observers?: middy.MiddlewareObj[];
}

/** The response to HEAD is that to GET without its body. */
const withoutBodyOfHead: ApiMiddleware = {
  after: ({ event, response }) => {
    if (event.httpMethod !== "HEAD" || !response) return;
    if (typeof response.body !== "string") response.body.destroy();
    response.body = "";
  },
};

/** The middlewares that all handlers share. */
const pipeline = (deps: Pick<ApiDeps, "log">, { plugin = {}, observers = [] }: HttpOptions) =>
  middy(plugin)
    .use(observers)
    .use(compression())
    .use(withoutBodyOfHead)
    .use(errorResponse(deps))
    .before(({ event }) => {
      // In events of the test console of API Gateway, headers are null.
      event.headers ??= {};
    })
    .use(httpHeaderNormalizer({ canonical: false }));

/**
 * The handler of the requests that no route matches: 404, or 405 for other methods of MCP, as that protocol requires. It
 * counts them against the rate limit of a valid key, and needs none.
 */
export function unknownRouteHandler(deps: PipelineDeps, options: HttpOptions = {}): HttpHandler {
  return pipeline(deps, options)
    .use(admission(deps))
    .handler(({ requestContext }: ApiEvent): Promise<never> => {
      if (requestContext.path !== mcpRoutes.callMcp.path)
        throw new HttpError(404, "There is no such endpoint.");
      throw new HttpError(405, "Send MCP messages with POST.", { headers: { allow: "POST" } });
    }) as unknown as HttpHandler;
}

/** The dependencies of the middlewares. */
type PipelineDeps = Pick<ApiDeps, "table" | "now" | "log" | "identify">;

/** Wraps the handler of a route in the middlewares that all routes share, and in those that it needs. */
export function httpHandler<Deps extends PipelineDeps, Query>(
  route: Route,
  handle: (request: AnyRequest & { query: Query }, deps: Deps) => Promise<ApiResponse>,
  deps: Deps,
  options: HttpOptions = {},
): HttpHandler {
  return pipeline(deps, options)
    .use(route.scope === "none" ? [] : admission(deps, route.scope))
    .use(route.body ? parseBody(route) : [])
    .use(validateQuery(route))
    .use(audit(route, deps))
    .handler(async (event: ApiEvent): Promise<HttpResponse> => {
      const request = {
        account: event.account,
        caller: event.caller,
        query: event.query as Query,
        body: event.body,
        id: event.pathParameters?.id ?? "",
        headers: event.headers,
        closed: event.closed,
      };
      const { status = route.status, ...answer } = await handle(request, deps);
      const response = { statusCode: status, ...(await contentOf(answer)) };
      return isConditional(route) ? unlessKnown(event.headers["if-none-match"], response) : response;
    }) as unknown as HttpHandler;
}

async function contentOf({
  json,
  content,
  headers,
}: ApiResponse): Promise<Pick<HttpResponse, "headers" | "body">> {
  if (content !== undefined)
    return { headers: { ...headers }, body: Readable.from(content, { objectMode: false }) };
  if (json === undefined) return { headers: { ...headers }, body: "" };
  return { headers: { "content-type": "application/json", ...headers }, body: await bodyOf(json) };
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
