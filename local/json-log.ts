import type { Log } from "../functions/log.ts";
import { redactField } from "../functions/redact.ts";

const write = (level: string, message: string, fields: Record<string, unknown> = {}) =>
  console.error(
    JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, (key, value) =>
      describeError(redactField(key, value)),
    ),
  );

/** What comes out of it is redacted in its turn. */
const describeError = (value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value;

/** One line of JSON an entry, on standard error, without anything secret. */
export const jsonLog: Log = {
  info: (message, fields) => write("INFO", message, fields),
  error: (message, fields) => write("ERROR", message, fields),
};
