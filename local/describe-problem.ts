import { ValidationError } from "../functions/contract/validate.ts";
import { UsageError } from "./data-folder.ts";

/** What to tell the person at the terminal: a problem of theirs in words, one of ours in full. */
export function describeProblem(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof ValidationError) {
    const lines = error.problems.map(
      ({ path, message }) => `  ${path === "" ? "the whole" : path}: ${message}`,
    );
    return ["Nothing was stored. What is wrong with it:", ...lines].join("\n");
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
