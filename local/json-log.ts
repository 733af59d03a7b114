import type { Log } from "../functions/log.ts";
import { redactField } from "../functions/redact.ts";
import { printError } from "./terminal/print.ts";

const write = (level: string, message: string, fields: Record<string, unknown> = {}) =>
  printError(
    JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, (key, value) =>
      describeError(redactField(key, value)),
    ),
  );

/** Converts an error to an object. JSON.stringify calls the replacer for its fields, so they are redacted too. */
const describeError = (value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value;

/** Writes each entry to standard error as one line of JSON, with secrets redacted. */
export const jsonLog: Log = {
  info: (message, fields) => write("INFO", message, fields),
  error: (message, fields) => write("ERROR", message, fields),
};
