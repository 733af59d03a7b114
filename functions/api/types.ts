import type { Readable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import type { BodyOf, QueryOf, RouteName } from "../contract/routes.ts";
import type { Log } from "../log.ts";
import type { StartRunDeps } from "../runs/start-run.ts";

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
