import { INPUTS_MAX, Input, type InputValues } from "../contract/batches/batch.ts";
import { type Problem, ValidationError, validate } from "../contract/validate.ts";
import { tooManyInputs } from "./check-inputs.ts";
import type { ParsedInputs } from "./parsed-inputs.ts";

/** The most problems that are listed one by one. */
const PROBLEMS_MAX = 100;

/**
 * The inputs of a JSON Lines file. Empty lines are left out.
 * @throws ValidationError with all problems of the file
 */
export function parseJsonLines(text: string): ParsedInputs {
  const inputs: InputValues[] = [];
  const lines: number[] = [];
  const problems: Problem[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    if (inputs.length === INPUTS_MAX) throw new ValidationError([tooManyInputs()]);
    const path = `line ${at + 1}`;
    const parsed = parseLine(line);
    if (parsed instanceof ValidationError)
      problems.push(...parsed.problems.map((problem) => ({ ...problem, path: joined(path, problem.path) })));
    else inputs.push(parsed);
    lines.push(at + 1);
  }
  if (lines.length === 0) problems.push({ path: "", message: "The file has no inputs" });
  const more = problems.length - PROBLEMS_MAX;
  if (more > 0) problems.splice(PROBLEMS_MAX, more, { path: "", message: `and ${more} more problems` });
  if (problems.length > 0) throw new ValidationError(problems);
  return { inputs, placeOf: (index) => `line ${lines[index]}` };
}

const joined = (place: string, path: string) => (path === "" ? place : `${place}.${path}`);

function parseLine(line: string): InputValues | ValidationError {
  try {
    return validate(Input, JSON.parse(line));
  } catch (error) {
    if (error instanceof ValidationError) return error;
    if (error instanceof SyntaxError)
      return new ValidationError([{ path: "", message: "is not valid JSON" }]);
    throw error;
  }
}
