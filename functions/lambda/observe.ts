import { Logger } from "@aws-lambda-powertools/logger";
import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";
import { Tracer } from "@aws-lambda-powertools/tracer";
import { captureLambdaHandler } from "@aws-lambda-powertools/tracer/middleware";
import type middy from "@middy/core";
import type { Log } from "../log.ts";
import { redactField } from "../redact.ts";

/** Every entry passes through the redactor, errors and what caused them too. */
const logger = new Logger({ jsonReplacerFn: redactField });

/** Calls of AWS are traced; what goes to scraped sites and webhook receivers is nobody's trace. */
export const tracer = new Tracer({ captureHTTPsRequests: false });

export const log: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** Around every handler: the request's id in each log entry, and a trace without what was answered. */
export const observers: middy.MiddlewareObj[] = [
  captureLambdaHandler(tracer, { captureResponse: false }),
  injectLambdaContext(logger),
];
