import { isThrottlingError, isTransientError } from "@smithy/core/retry";
import { ValidationError } from "../contract/validate.ts";
import { HttpError } from "./http-error.ts";
import type { ApiDeps, ApiEvent, ApiMiddleware } from "./types.ts";

/** A middleware that turns errors into responses, and adds the headers that every response has. */
export function errorResponse({ log }: Pick<ApiDeps, "log">): ApiMiddleware {
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
  if (isFaultOfStorage(error)) {
    return new HttpError(503, "The service can't store anything at the moment. Try again later.", {
      headers: { "retry-after": "30" },
    });
  }
  return new HttpError(
    500,
    "Internal server error. Try again. If the error persists, report the x-request-id of this response.",
  );
}

type SdkFailure = Parameters<typeof isThrottlingError>[0];

/**
 * Whether the table or a queue failed, was overloaded or could not be reached, after all retries of its client. In the
 * local service, a full disk is also such an error.
 */
function isFaultOfStorage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("$fault" in error && error.$fault === "server") return true;
  return isThrottlingError(error as SdkFailure) || isTransientError(error as SdkFailure);
}

const requestId = (event: ApiEvent) => event.requestContext.requestId;

const commonHeaders = (event: ApiEvent) => ({
  "x-request-id": requestId(event),
  "cache-control": "no-store",
  ...event.rateLimitHeaders,
});
