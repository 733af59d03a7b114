import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { isIP } from "node:net";
import { pipeline } from "node:stream/promises";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import type { HttpHandler, HttpResponse } from "../../functions/api/types.ts";
import type { Route } from "../../functions/contract/route.ts";
import { type HandlerName, type RouteName, routes } from "../../functions/contract/routes.ts";
import type { Log } from "../../functions/log.ts";
import { errorResponse, refuseBadHttp } from "./bad-http.ts";
import type { ConsoleSite } from "./console-site.ts";

/**
 * An unused body is read up to this size, because many clients read the response only after they have sent the body.
 */
const MAX_UNWANTED_BYTES = 10 * 1024 * 1024;
/** Limits in ms and bytes. They apply before the API key is checked, so that unknown clients use few resources. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // How often Node.js checks the two timeouts. By default, it does so every 30 seconds.
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};
const MAX_CONNECTIONS = 512;
/**
 * A connection without any traffic for this time is closed. By default, Node.js closes it 5 s after a response. A client
 * that got no CPU time for some seconds then sends its next request into a closed connection.
 */
const IDLE_MS = 120_000;
/** The time that handlers have for a request, as the Lambda context reports it. */
const TIMEOUT_MS = 15 * 60_000;

/** Responses with these statuses have no body, and must not have a content-length header. */
const WITHOUT_CONTENT = [204, 304];

type Handlers = Record<HandlerName, HttpHandler>;

/** A route with its handler. */
export interface GatewayRoute {
  route: Pick<Route, "method" | "path">;
  handler: HttpHandler;
}

export interface GatewayOptions {
  /** Routes that only a service on one machine has. */
  localRoutes?: readonly GatewayRoute[];
  /** The host names that the Host header may contain, besides localhost and IP addresses. */
  names?: readonly string[];
  /** Serves the paths that are not part of the API. */
  site?: ConsoleSite;
}

/**
 * Creates the HTTP server. It replaces API Gateway and CloudFront on AWS: it finds the handler of a request, or the
 * file of the console, and converts requests to Lambda events and results to responses.
 */
export function createGateway(handlers: Handlers, log: Log, options: GatewayOptions = {}): Server {
  const ofApi = Object.entries(routes).map(([name, route]) => ({
    route,
    handler: handlers[name as RouteName],
  }));
  const served = {
    ...options,
    routes: [...ofApi, ...(options.localRoutes ?? [])],
    unknownRoute: handlers.unknownRoute,
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    serve(served, request, response).catch((error) => {
      const hasBegun = response.headersSent;
      const what = hasBegun ? "A response was cut short" : "A request failed";
      if (!isGone(error)) log.error(what, { path: request.url, error });
      if (!hasBegun && !response.destroyed) {
        response.writeHead(500, { "content-type": "application/json" });
        response.end(
          JSON.stringify({ message: "Internal server error. The log of the service has the cause." }),
        );
        return;
      }
      // Closing the connection tells the client that the response is incomplete.
      response.destroy();
    });
  };
  // By default, Node.js itself responds to a missing Host header and an unknown Expect header, without a body.
  const server = createServer({ ...LIMITS, keepAliveTimeout: IDLE_MS, requireHostHeader: false }, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  server.on("checkExpectation", onRequest);
  refuseBadHttp(server);
  return server;
}

/** Error codes which mean that the client closed the connection, while the response was sent or before. */
const GONE = ["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE"];

/** Whether a response ended because the client closed the connection. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && GONE.includes(String(error.code));

/** What a gateway serves. */
interface Served extends GatewayOptions {
  routes: readonly GatewayRoute[];
  unknownRoute: HttpHandler;
}

async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  const answer = await answerTo(served, request, closing.signal);
  if (!request.complete) dropBody(request);
  return send(response, answer);
}

async function answerTo(
  { names = [], site, routes: known, unknownRoute }: Served,
  request: IncomingMessage,
  closed: AbortSignal,
): Promise<HttpResponse> {
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    return errorResponse(400, "The request has no Host header.");
  }
  const refusal = refusalOf(request.headers, names);
  if (refusal !== undefined) return errorResponse(...refusal);
  const url = addressOf(request.url ?? "");
  if (url?.pathname === "/reference") {
    return { statusCode: 308, headers: { location: routes.getReference.path }, body: "" };
  }
  const match = url === null ? undefined : findRoute(known, request.method, url.pathname);
  if (url !== null && match === undefined) {
    const page = await site?.answer(request.method, url.pathname, request.headers);
    if (page !== undefined) return page;
  }
  const event = { ...toEvent(request, url, match), closed };
  return (match?.handler ?? unknownRoute)(event, lambdaContext(event.requestContext.requestId));
}

/** The URL of a request. In a path such as `//v1/runs`, the first segment must not be parsed as a host. */
const addressOf = (target: string): URL | null =>
  target.startsWith("/") ? URL.parse(`http://localhost${target}`) : URL.parse(target, "http://localhost");

/** Reads and discards the rest of a body. Closes the connection if it is too large. */
function dropBody(request: IncomingMessage): void {
  let bytes = 0;
  request.on("error", () => {});
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_UNWANTED_BYTES) request.destroy();
  });
}

interface Match extends GatewayRoute {
  params: Record<string, string>;
}

function findRoute(
  known: readonly GatewayRoute[],
  method: string | undefined,
  path: string,
): Match | undefined {
  for (const { route, handler } of known) {
    const isMethod = route.method === method || (route.method === "GET" && method === "HEAD");
    const params = isMethod ? matchPath(route.path, path) : undefined;
    if (params !== undefined) return { route, handler, params };
  }
  return undefined;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const parts = path.split("/");
  const expected = template.split("/");
  if (parts.length !== expected.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const part = parts[index] ?? "";
    if (!name.startsWith("{")) {
      if (part !== name) return undefined;
    } else if (part === "") {
      return undefined;
    } else {
      params[name.slice(1, -1)] = decodeSegment(part);
    }
  }
  return params;
}

/** A path segment, percent-decoded if possible. An invalid segment matches no id. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Converts a request to the event that a REST API sends to a Lambda proxy integration. Its body is an iterator, not a
 * string, so that the handler can check the API key before it reads the body.
 */
function toEvent(request: IncomingMessage, url: URL | null, match: Match | undefined): APIGatewayProxyEvent {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const path = url?.pathname ?? "";
  const requestId = randomUUID();
  return {
    resource: match?.route.path ?? path,
    path,
    httpMethod: request.method ?? "",
    headers,
    multiValueHeaders: {},
    queryStringParameters: Object.fromEntries(url?.searchParams ?? []),
    multiValueQueryStringParameters: null,
    pathParameters: match?.params ?? null,
    stageVariables: null,
    // Without this option, a handler that stops reading early would close the connection.
    body: request.iterator({ destroyOnReturn: false }) as unknown as string,
    isBase64Encoded: false,
    requestContext: {
      requestId,
      path,
      identity: { sourceIp: request.socket.remoteAddress ?? "" },
    } as APIGatewayProxyEvent["requestContext"],
  };
}

const lambdaContext = (awsRequestId: string) =>
  ({ awsRequestId, getRemainingTimeInMillis: () => TIMEOUT_MS }) as Context;

async function send(response: ServerResponse, { statusCode, headers, body }: HttpResponse): Promise<void> {
  if (typeof body === "string") {
    // The length for HEAD would be that of the response to GET.
    const hasNoLength = WITHOUT_CONTENT.includes(statusCode) || response.req.method === "HEAD";
    const length = hasNoLength ? {} : { "content-length": Buffer.byteLength(body) };
    response.writeHead(statusCode, { ...headers, ...length });
    response.end(body);
    return;
  }
  response.writeHead(statusCode, headers);
  response.flushHeaders();
  await pipeline(body, response);
}

/**
 * The status and message with which to refuse a request because of its Host or Origin header; undefined if it is
 * allowed. A malicious web page can reach servers on loopback in two ways: from its own origin, which the Origin header
 * shows, or by DNS rebinding, in which case the Host header has the name of the page's host. IP addresses can't be
 * rebound.
 */
export function refusalOf(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  names: readonly string[],
): [status: number, message: string] | undefined {
  const name = host === undefined ? "localhost" : hostnameOf(`http://${host}`);
  if (name === undefined) return [400, "The Host header is not valid."];
  if (!isLocal(name) && !names.some((known) => known.toLowerCase() === name)) {
    return [421, `This service is not ${name}. Start it with --name ${name} if it is.`];
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return [403, "Web pages of other origins can't use this service."];
  }
  return undefined;
}

function hostnameOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null || parsed.pathname !== "/" || parsed.username !== "" ? undefined : parsed.hostname;
}

const isLocal = (name: string) => name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
