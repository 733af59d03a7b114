import * as v from "valibot";

/** One thing wrong with an input: where (`steps[0].url`; empty for the whole) and what to do about it. */
export interface Problem {
  path: string;
  message: string;
}

/** Input that does not fit the contract, with every problem found in it. */
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

/** Problems that are listed one by one: an answer of thousands helps nobody. */
const PROBLEMS_MAX = 100;

/** @throws ValidationError with every problem, not only the first; of very many, with how many more there are. */
export function validate<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const problems = result.issues
    .slice(0, PROBLEMS_MAX)
    .map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }));
  const more = result.issues.length - problems.length;
  if (more > 0) problems.push({ path: "", message: `and ${more} more problems` });
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

/** Our schemas word most problems themselves; this words the rest for a person who never saw valibot. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === "schema") {
    if (issue.type === "strict_object" && issue.expected === "never") return "is not a known field here";
    if (issue.received === "undefined") return "is required";
    if (issue.type === "variant")
      return `must be one of ${issue.expected ?? "the known types"}, not ${issue.received}`;
    if (issue.message.startsWith("Invalid ")) {
      const expected = (issue.expected ?? issue.type).replace("boolean", "true or false");
      return `must be ${expected.replaceAll(" | ", " or ")}, not ${shorten(issue.received)}`;
    }
  } else if (issue.message.startsWith("Invalid ")) {
    return `${issue.message[0]?.toLowerCase()}${issue.message.slice(1)}`;
  }
  return issue.message;
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
