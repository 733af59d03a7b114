import { Readable } from "node:stream";
import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { type BodyOf, type QueryOf, type Route, type RouteName, routes } from "../contract/routes.ts";
import type { Log } from "../log.ts";
import type { StartRunDeps } from "../runs/start-run.ts";
import { admission } from "./admission.ts";
import { errorResponse } from "./error-response.ts";
import { validateRequest } from "./validate-request.ts";

/** What the API's handlers need. */
export interface ApiDeps extends StartRunDeps {
  log: Log;
}

/** A request of one route that has passed authentication, the rate limit and validation. */
export interface ApiRequest<N extends RouteName> {
  account: string;
  query: QueryOf<N>;
  body: BodyOf<N>;
  /** The path parameter `id`; empty where the path has none. */
  id: string;
  /** Headers by lower-case name. */
  headers: Record<string, string | undefined>;
}

/** What a handler answers: a value to be sent as JSON, or JSON text as an async iterable, made while it is sent. */
export interface ApiResponse {
  json: unknown;
  headers?: Record<string, string>;
}

export type ApiHandler<N extends RouteName> = (request: ApiRequest<N>, deps: ApiDeps) => Promise<ApiResponse>;

/** An API Gateway response whose body may be a stream. */
export interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** What passes between the middlewares of one request. */
export interface ApiEvent extends Omit<APIGatewayProxyEvent, "headers"> {
  headers: Record<string, string | undefined>;
  account: string;
  rateLimitHeaders: Record<string, string>;
  request: { query: unknown; body: unknown };
}

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<HttpResponse>;

/**
 * Puts the one stack of middlewares around a route's handler. `plugin` goes to Middy: on AWS it makes the
 * streaming routes stream. `observers` watch each request from the outside.
 */
export function httpHandler<N extends RouteName>(
  name: N,
  handle: ApiHandler<N>,
  deps: ApiDeps,
  plugin: object = {},
  observers: middy.MiddlewareObj[] = [],
): HttpHandler {
  const route: Route = routes[name];
  return middy(plugin)
    .use(observers)
    .use(errorResponse(deps))
    .use(httpHeaderNormalizer({ canonical: false }))
    .use(admission(deps))
    .use(validateRequest(route))
    .handler(async (event: ApiEvent): Promise<HttpResponse> => {
      const request = {
        account: event.account,
        ...event.request,
        id: event.pathParameters?.id ?? "",
        headers: event.headers,
      } as ApiRequest<N>;
      const { json, headers } = await handle(request, deps);
      return {
        statusCode: route.status,
        headers: { "content-type": "application/json", ...headers },
        body: bodyOf(json),
      };
    }) as unknown as HttpHandler;
}

function bodyOf(json: unknown): string | Readable {
  const isStream = typeof json === "object" && json !== null && Symbol.asyncIterator in json;
  return isStream
    ? Readable.from(json as AsyncIterable<string | Buffer>, { objectMode: false })
    : JSON.stringify(json);
}
