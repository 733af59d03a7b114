import type middy from "@middy/core";
import { ValidationError } from "../contract/validate.ts";
import { HttpError } from "./http-error.ts";
import type { ApiDeps, ApiEvent, HttpResponse } from "./types.ts";

/** Turns whatever went wrong into an answer, and puts the headers that every answer has on it. */
export function errorResponse({ log }: Pick<ApiDeps, "log">): middy.MiddlewareObj<ApiEvent, HttpResponse> {
  return {
    after: ({ event, response }) => {
      if (response) Object.assign(response.headers, commonHeaders(event));
    },
    onError: (request) => {
      const { event, error } = request;
      const known = knownError(error);
      if (known.status >= 500) {
        log.error("Request failed", { requestId: requestId(event), path: event.resource, error });
      }
      const { message, problems } = known;
      request.response = {
        statusCode: known.status,
        headers: { "content-type": "application/json", ...known.headers, ...commonHeaders(event) },
        body: JSON.stringify({ message, errors: problems }),
      };
    },
  };
}

function knownError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ValidationError) {
    return new HttpError(400, `The request is not valid: ${error.message}`, { problems: error.problems });
  }
  return new HttpError(
    500,
    "Something went wrong on our side. Try again; if it stays, report the x-request-id.",
  );
}

const requestId = (event: ApiEvent) => event.requestContext.requestId;

const commonHeaders = (event: ApiEvent) => ({
  "x-request-id": requestId(event),
  "cache-control": "no-store",
  ...event.rateLimitHeaders,
});
