import { Logger } from "@aws-lambda-powertools/logger";
import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";
import { Tracer } from "@aws-lambda-powertools/tracer";
import { captureLambdaHandler } from "@aws-lambda-powertools/tracer/middleware";
import type middy from "@middy/core";
import type { Log } from "../log.ts";
import { redactField } from "../redact.ts";

/** Redacts every field of every entry, including errors and their causes. */
const logger = new Logger({ jsonReplacerFn: redactField });

/** Traces calls to AWS, but not requests to scraped sites and webhook receivers. */
export const tracer = new Tracer({ captureHTTPsRequests: false });

export const log: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** Adds the request id to each log entry, and traces each handler without its response. */
export const observers: middy.MiddlewareObj[] = [
  captureLambdaHandler(tracer, { captureResponse: false }),
  injectLambdaContext(logger),
];
