import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";

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
