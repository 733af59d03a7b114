import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import type { HttpHandler, HttpResponse } from "../functions/api/types.ts";
import { type RouteName, routes } from "../functions/contract/routes.ts";
import type { Log } from "../functions/log.ts";
import { errorResponse, refuseBadHttp } from "./bad-http.ts";

/** The limit of API Gateway. */
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** The longest timeout of a regional endpoint of API Gateway. */
const TIMEOUT_MS = 15 * 60_000;

/** Does the work of API Gateway on AWS: finds the handler of a request, and translates request and response. */
export function createGateway(handlers: Record<RouteName, HttpHandler>, log: Log): Server {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    serve(handlers, request, response).catch((error) => {
      // The response has begun. Closing the connection tells the client that it is incomplete.
      if (!response.destroyed) log.error("A response was cut short", { path: request.url, error });
      response.destroy();
    });
  };
  // By default, Node.js answers a missing Host header and an unknown Expect header without a body.
  const server = createServer({ requestTimeout: 60_000, requireHostHeader: false }, onRequest);
  server.on("checkExpectation", onRequest);
  refuseBadHttp(server);
  return server;
}

async function serve(
  handlers: Record<RouteName, HttpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    request.resume();
    return send(response, errorResponse(400, "The request has no Host header."));
  }
  const url = URL.parse(request.url ?? "", "http://localhost");
  const match = url && findRoute(request.method, url.pathname);
  if (!url || !match) {
    request.resume();
    return send(response, errorResponse(404, "There is no such endpoint."));
  }
  const body = await readBody(request);
  if (body === undefined) return send(response, errorResponse(413, "The request is too large."));
  const event = toEvent(request, url, match, body);
  return send(response, await handlers[match.name](event, lambdaContext(event.requestContext.requestId)));
}

interface Match {
  name: RouteName;
  params: Record<string, string>;
}

function findRoute(method: string | undefined, path: string): Match | undefined {
  for (const [name, route] of Object.entries(routes)) {
    const params = route.method === method ? matchPath(route.path, path) : undefined;
    if (params !== undefined) return { name: name as RouteName, params };
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

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read and dropped, because a client that is still sending would not read the response.
    if (bytes <= MAX_REQUEST_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_REQUEST_BYTES ? Buffer.concat(chunks) : undefined;
}

/** The request as the event that a REST API sends to a Lambda proxy integration. */
function toEvent(request: IncomingMessage, url: URL, match: Match, body: Buffer): APIGatewayProxyEvent {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const { method, path } = routes[match.name];
  const requestId = randomUUID();
  return {
    resource: path,
    path: url.pathname,
    httpMethod: method,
    headers,
    multiValueHeaders: {},
    queryStringParameters: Object.fromEntries(url.searchParams),
    multiValueQueryStringParameters: null,
    pathParameters: match.params,
    stageVariables: null,
    body: body.length > 0 ? body.toString("base64") : null,
    isBase64Encoded: body.length > 0,
    requestContext: { requestId } as APIGatewayProxyEvent["requestContext"],
  };
}

const lambdaContext = (awsRequestId: string) =>
  ({ awsRequestId, getRemainingTimeInMillis: () => TIMEOUT_MS }) as Context;

async function send(response: ServerResponse, { statusCode, headers, body }: HttpResponse): Promise<void> {
  if (typeof body === "string") {
    response.writeHead(statusCode, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(statusCode, headers);
  response.flushHeaders();
  await pipeline(body, response);
}
