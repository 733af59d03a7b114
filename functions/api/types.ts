import type { Readable } from "node:stream";
import type middy from "@middy/core";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import type { StartBatchDeps } from "../batches/start-batch.ts";
import type { QueryOf, RouteName } from "../contract/routes.ts";
import type { Scope } from "../contract/scope.ts";
import type { Inspect } from "../inspections/task.ts";
import type { Log } from "../log.ts";
import type { Schedules } from "../schedules/schedules.ts";
import type { ApiKey } from "../store/api-keys.ts";

/** The dependencies of the handlers. */
export interface ApiDeps extends StartBatchDeps {
  log: Log;
  /** Private `host:port` pairs that webhooks may reach. */
  allowHosts: () => readonly string[];
  /** Whether hooks can send e-mail. Absent: they can't. */
  sendsMail?: () => boolean;
  /** Whether rows can be written to a folder. Absent: they can't, as on AWS. */
  hasFolder?: () => boolean;
  schedules: Schedules;
  inspect: Inspect;
  /** The key that encrypts the account's sessions. */
  sessionKey: (account: string) => Promise<Buffer>;
  /** Rejects if a queue does not respond. Absent if the queues are in this process. */
  checkQueues?: () => Promise<void>;
  /** The most bytes that a response can have. Absent: there is no limit. */
  responseMaxBytes?: number;
  /** Absent if nobody can sign in without an API key. */
  identify?: Identify | undefined;
  /** The base URL of this API, for `callMcp`, which calls the other routes. */
  baseUrl?: () => string;
}

/** An authenticated request of one route of the API, with a validated query. */
export interface ApiRequest<N extends RouteName> extends AnyRequest {
  query: QueryOf<N>;
}

/** Who sends a request: a client with an API key, or a person who has signed in. */
export interface Caller {
  scope: Scope;
  key?: ApiKey;
  user?: string;
}

/**
 * Tells which person has signed in and sends a request; undefined: none. It is not asked if the request has an API key.
 * @throws HttpError if the person may not send it
 */
export type Identify = (
  event: Pick<ApiEvent, "headers" | "httpMethod" | "requestContext">,
) => { account: string; user: string; scope: Scope } | undefined;

export interface AnyRequest {
  account: string;
  caller: Caller;
  /** The parsed body. The handler validates it, because what is valid may depend on stored data. */
  body: unknown;
  /** The path parameter `id`; empty if the path has none. */
  id: string;
  /** Headers by lower-case name. */
  headers: Record<string, string | undefined>;
  /** Aborts when the client has closed the connection. Absent on AWS, because API Gateway does not report it. */
  closed?: AbortSignal | undefined;
}

/** A handler's result; without `json` and `content`, the response has no body. */
export interface ApiResponse {
  /** A value to send as JSON, or an async iterable that streams JSON text. */
  json?: unknown;
  /** The body as a stream. `headers` must contain its content type. */
  content?: AsyncIterable<string | Buffer>;
  /** The status; the status of the route by default. */
  status?: number;
  headers?: Record<string, string>;
}

/** The handler of one route. @throws HttpError, or a ValidationError, which becomes status 400 */
export type ApiHandler<N extends RouteName> = (request: ApiRequest<N>, deps: ApiDeps) => Promise<ApiResponse>;

/** An API Gateway response whose body may be a stream. */
export interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** The event of one request, with the fields that the middlewares add. */
export interface ApiEvent extends Omit<APIGatewayProxyEvent, "headers" | "body"> {
  headers: Record<string, string | undefined>;
  /** Text, base64 or a stream of bytes, until the body parsers replace it with the parsed value. */
  body: unknown;
  account: string;
  caller: Caller;
  rateLimitHeaders: Record<string, string>;
  query: unknown;
  closed?: AbortSignal;
}

export type ApiMiddleware = middy.MiddlewareObj<ApiEvent, HttpResponse>;

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<HttpResponse>;
