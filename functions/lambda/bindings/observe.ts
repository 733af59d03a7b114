import { Logger } from "@aws-lambda-powertools/logger";
import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";
import type middy from "@middy/core";
import type { Log } from "../../log.ts";
import { redactField } from "../../redact.ts";
import { traceHandler } from "./x-ray.ts";

/** Redacts secrets in all fields of all entries, including errors and their causes. */
const logger = new Logger({ jsonReplacerFn: redactField });

export const log: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** Traces each handler, and adds the request id to each log entry. */
export const observers: middy.MiddlewareObj[] = [traceHandler, injectLambdaContext(logger)];
