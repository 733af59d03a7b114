import * as v from "valibot";
import { PROBLEMS_COUNTED } from "./limited-list.ts";

/** A validation error: the path in the input (`steps[0].url`; empty for the whole input) and what is expected. */
export interface Problem {
  path: string;
  message: string;
}

/** Invalid input, with all its problems. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(
      problems
        .map((problem) => (problem.path ? `${problem.path}: ${problem.message}` : problem.message))
        .join("; "),
    );
    this.problems = problems;
  }
}

/** Maximum number of problems that are listed one by one. */
const PROBLEMS_MAX = 100;

/**
 * Parses an input with a schema.
 * @throws ValidationError with all problems, or the first 100 and the number of the others
 */
export function validate<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const problems = result.issues
    .slice(0, PROBLEMS_MAX)
    .map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }));
  const more = result.issues.length - problems.length;
  const least = result.issues.length < PROBLEMS_COUNTED ? "" : "at least ";
  if (more > 0) problems.push({ path: "", message: `and ${least}${more} more problems` });
  throw new ValidationError(problems);
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  let path = "";
  for (const { key } of issue.path ?? []) {
    if (typeof key === "number") path += `[${key}]`;
    else path += path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

/** The message of the schema, or a clearer one if it is a default message of valibot. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === "schema") {
    if (issue.type === "strict_object" && issue.expected === "never") return "is not a known field here";
    if (issue.received === "undefined") return "is required";
    if (issue.type === "variant" && issue.expected !== "Object")
      return `must be one of ${alternatives(issue.expected ?? "the known types").join(", ")}, not ${issue.received}`;
    if (issue.message.startsWith("Invalid ")) {
      const expected = (issue.expected ?? issue.type)
        .replace("boolean", "true or false")
        .replace(/^(Object|Array)$/, (name) => `an ${name.toLowerCase()}`);
      return `must be ${alternatives(expected).join(" or ")}, not ${shorten(issue.received)}`;
    }
  } else if (issue.message.startsWith("Invalid ")) {
    return boundOf(issue) ?? `${issue.message[0]?.toLowerCase()}${issue.message.slice(1)}`;
  }
  return issue.message;
}

/** The message for a limit that the input exceeds; undefined if the issue is of another kind. */
function boundOf({ type, requirement, input }: v.BaseIssue<unknown>): string | undefined {
  const parts = typeof input === "string" ? "characters" : "items";
  switch (type) {
    case "integer":
      return "must be a whole number";
    case "min_value":
      return `must be at least ${requirement}`;
    case "max_value":
      return `must be at most ${requirement}`;
    case "min_length":
      return `must have at least ${requirement} ${parts}`;
    case "max_length":
      return `must have at most ${requirement} ${parts}`;
  }
  return undefined;
}

/** Splits what valibot writes as `("a" | ("b" | "c"))`. */
const alternatives = (expected: string) => expected.replaceAll(/[()]/g, "").split(" | ");

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
