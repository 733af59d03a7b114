import { ValidationError } from "../functions/contract/validate.ts";
import { UsageError } from "./data/data-folder.ts";

/** The text of an error for the user: only the message if the user can solve the problem, or else the stack trace. */
export function describeProblem(error: unknown): string {
  if (error instanceof ValidationError)
    return `Nothing was stored. These problems were found:\n${listProblems(error)}`;
  if (!(error instanceof Error)) return String(error);
  return isForUser(error) ? error.message : (error.stack ?? error.message);
}

/** Whether the user can solve the problem, such as a file that can't be used, or a request that AWS rejects. */
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
