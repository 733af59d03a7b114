import { ValidationError } from "../functions/contract/validate.ts";
import { UsageError } from "./data-folder.ts";

/** What to tell the person at the terminal: a problem of theirs in words, one of ours in full. */
export function describeProblem(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof ValidationError) {
    return `Nothing was stored. What is wrong with it:\n${listProblems(error)}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A line for each problem. */
export const listProblems = ({ problems }: ValidationError) =>
  problems.map(({ path, message }) => `  ${path === "" ? "the whole" : path}: ${message}`).join("\n");
