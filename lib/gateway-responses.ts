import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from "aws-cdk-lib/aws-apigateway";

const json = (message: string) => ({ "application/json": JSON.stringify({ message }) });
const UNKNOWN_ROUTE = "There is no such endpoint.";

interface Answer {
  type: ResponseType;
  message: string;
  status?: string;
  headers?: Record<string, string>;
}

/**
 * The responses that API Gateway sends without calling a handler, in the format of the API's errors. Their headers can
 * contain only constants and parts of the request, so they have the id of the request only in the header
 * x-amzn-requestid.
 */
const answers: Record<string, Answer> = {
  UnknownRoute: { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: "404", message: UNKNOWN_ROUTE },
  UnknownResource: { type: ResponseType.RESOURCE_NOT_FOUND, status: "404", message: UNKNOWN_ROUTE },
  // For an unknown route, API Gateway expects an AWS signature in the Authorization header, and finds an API key.
  NoSignature: { type: ResponseType.INVALID_SIGNATURE, status: "404", message: UNKNOWN_ROUTE },
  // This can only happen for unknown routes, because no other integration checks the media type.
  UnknownMediaType: { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, status: "404", message: UNKNOWN_ROUTE },
  TooLarge: { type: ResponseType.REQUEST_TOO_LARGE, message: "The request is too large." },
  Throttled: {
    type: ResponseType.THROTTLED,
    message: "The service is busy. Try again in a moment.",
    headers: { "Retry-After": "'1'" },
  },
  Filtered: { type: ResponseType.WAF_FILTERED, message: "The request was refused by the firewall." },
  Refused: { type: ResponseType.DEFAULT_4XX, message: "The request is malformed." },
  Broken: {
    type: ResponseType.DEFAULT_5XX,
    message:
      "Internal server error. Try again. If the error persists, report the x-amzn-requestid of this response.",
  },
};

export function setGatewayResponses(api: RestApi): void {
  for (const [id, { type, message, status, headers }] of Object.entries(answers)) {
    api.addGatewayResponse(id, {
      type,
      ...(status && { statusCode: status }),
      responseHeaders: { "Cache-Control": "'no-store'", ...headers },
      templates: json(message),
    });
  }
}

/**
 * Adds responses with the status 404 for unknown routes, and 405 for other methods of the MCP route, as MCP requires.
 * By default, API Gateway responds with 403 and, for a request with an API key, with a message that quotes the key.
 */
export function answerUnknownRoutes(api: RestApi, mcp: IResource): void {
  const known = api.methods.map((method) => method.resource);
  for (const resource of new Set([api.root, ...known])) {
    if (resource === mcp) answerAny(resource, "405", "Send MCP messages with POST.", { Allow: "'POST'" });
    else answerAny(resource, "404", UNKNOWN_ROUTE);
  }
  answerAny(api.root.addResource("{unknown+}"), "404", UNKNOWN_ROUTE);
}

/**
 * Adds a response for all methods of a resource without their own integration. Constant `headers` have quoted values.
 */
function answerAny(resource: IResource, status: string, message: string, headers = {}): void {
  const sent = Object.fromEntries(
    Object.entries<string>({ "x-request-id": "context.requestId", ...headers }).map(([name, value]) => [
      `method.response.header.${name}`,
      value,
    ]),
  );
  const integration = new MockIntegration({
    requestTemplates: Object.fromEntries(
      ["application/json", "application/x-www-form-urlencoded"].map((type) => [
        type,
        `{"statusCode": ${status}}`,
      ]),
    ),
    passthroughBehavior: PassthroughBehavior.NEVER,
    // All media types are binary in this API, but a template needs text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    integrationResponses: [
      {
        statusCode: status,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseTemplates: json(message),
        responseParameters: sent,
      },
    ],
  });
  resource.addMethod("ANY", integration, {
    methodResponses: [
      {
        statusCode: status,
        responseParameters: Object.fromEntries(Object.keys(sent).map((name) => [name, true])),
      },
    ],
  });
}
