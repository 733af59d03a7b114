import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import fc from "fast-check";
import type { HttpHandler } from "../../../functions/api/types.ts";
import { type RouteName, routes } from "../../../functions/contract/routes.ts";
import { type Received, textOf } from "../send.ts";
import type { FuzzRequest } from "./requests.ts";

/** The ways in which API Gateway's REST APIs, and its console's test button, spell one and the same request. */
export const spellings = fc.record({
  isBase64Encoded: fc.boolean(),
  headers: fc.constantFrom("both", "single", "canonical", "none"),
  query: fc.constantFrom("both", "single", "null"),
  emptyBody: fc.constantFrom(null, ""),
});
export type Spelling = typeof spellings extends fc.Arbitrary<infer T> ? T : never;

/** A request as the event that a handler gets on AWS. */
export function eventOf(request: FuzzRequest, spelling: Spelling): APIGatewayProxyEvent {
  const { method, path } = routes[request.operationId as RouteName];
  const { isBase64Encoded, headers: kind, query: queryKind, emptyBody } = spelling;
  const canonical = (name: string) => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      kind === "canonical" ? canonical(name) : name,
      value,
    ]),
  );
  const lists = <T>(one: Record<string, T>) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, [value, value]]));
  const query = Object.fromEntries(request.query);
  const hasQuery = request.query.length > 0 && queryKind !== "null";
  return {
    resource: path,
    path: request.path,
    httpMethod: method,
    headers: kind === "none" ? (null as never) : headers,
    multiValueHeaders: kind === "both" ? lists(headers) : (null as never),
    queryStringParameters: hasQuery ? query : null,
    multiValueQueryStringParameters: hasQuery && queryKind === "both" ? lists(query) : null,
    pathParameters: Object.keys(request.params).length > 0 ? request.params : null,
    stageVariables: null,
    body: request.body.length > 0 ? request.body.toString(isBase64Encoded ? "base64" : "utf8") : emptyBody,
    isBase64Encoded,
    requestContext: { requestId: "fuzz" } as APIGatewayProxyEvent["requestContext"],
  };
}

/** A handler's answer to an event, its body read whole. */
export async function answerTo(handler: HttpHandler, event: APIGatewayProxyEvent): Promise<Received> {
  const context = { awsRequestId: "fuzz", getRemainingTimeInMillis: () => 60_000 } as Context;
  const { statusCode: status, headers, body } = await handler(event, context);
  const text =
    typeof body === "string"
      ? body
      : textOf(Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>)), headers);
  return { status, headers, text };
}
