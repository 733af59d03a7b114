import type { Log } from "../functions/log.ts";

const write = (level: string, message: string, fields: Record<string, unknown> = {}) =>
  console.error(
    JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, describeErrors),
  );

const describeErrors = (_key: string, value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value;

/** One line of JSON an entry, on standard error. */
export const jsonLog: Log = {
  info: (message, fields) => write("INFO", message, fields),
  error: (message, fields) => write("ERROR", message, fields),
};
