import { ValidationError } from "../functions/contract/validate.ts";
import { UsageError } from "./data-folder.ts";

/** The text for the user of the command line: one line for a problem that they can solve, else a stack trace. */
export function describeProblem(error: unknown): string {
  if (error instanceof ValidationError)
    return `Nothing was stored. These problems were found:\n${listProblems(error)}`;
  if (!(error instanceof Error)) return String(error);
  return isForUser(error) ? error.message : (error.stack ?? error.message);
}

/** Whether the error's message is enough: files that can't be used, and requests that AWS or the network refuses. */
const isForUser = (error: Error): boolean =>
  error instanceof UsageError ||
  "syscall" in error ||
  "$metadata" in error ||
  error.name === "CredentialsProviderError";

/** One line per problem. */
export const listProblems = ({ problems }: ValidationError) =>
  problems
    .map(({ path, message }) => `  ${path === "" ? "the whole document" : path}: ${message}`)
    .join("\n");
