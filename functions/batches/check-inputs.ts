import { INPUT_COLUMNS_MAX, INPUTS_MAX, type InputValues, RESERVED_NAME } from "../contract/batches/batch.ts";
import { RESERVED_NAMES } from "../contract/named-values.ts";
import { nearMisses } from "../contract/near-misses.ts";
import { DEFINITION_BYTES_MAX, type Pagination, type StoredStep } from "../contract/scrapers/scraper.ts";
import { STEP_ID_MAX } from "../contract/steps/action-steps.ts";
import { overridable } from "../contract/steps/steps.ts";
import type { Problem } from "../contract/validate.ts";
import { columnsOf } from "../rows/columns.ts";
import { checkOverride, isOverridable, usesSecretsIn } from "../runs/overrides.ts";
import { INPUT_BYTES_MAX } from "../store/batches/inputs.ts";
import { inputColumn } from "./batch.ts";

/** The parts of a scraper that inputs depend on. */
interface Scraper {
  steps: readonly StoredStep[];
  pagination: Pagination;
}

/** Shorter names are near to many others: a column that is carried along may well have one. */
const MISSPELLED_MIN = 5;

/** The most problems that are listed one by one. */
const PROBLEMS_MAX = 100;

/** Says where in the request an input is: `inputs[3]`, or `row 5`. */
export type PlaceOf = (index: number) => string;
export const inArray: PlaceOf = (index) => `inputs[${index}]`;

/** The names of the inputs' values, in the order in which they first occur. */
export function columnsOfInputs(inputs: readonly InputValues[]): string[] {
  const columns = new Set<string>();
  for (const input of inputs) for (const name of Object.keys(input)) columns.add(name);
  return [...columns];
}

/**
 * The problems of inputs with a scraper: those of the columns, or else those of the values, the first hundred of them and
 * the number of the others.
 */
export function inputProblems(
  scraper: Scraper,
  inputs: readonly InputValues[],
  columns: readonly string[],
  placeOf: PlaceOf = inArray,
): Problem[] {
  const ofColumns = columnProblems(scraper, columns);
  if (ofColumns.length > 0) return ofColumns;
  const check = valueChecker(scraper);
  const problems: Problem[] = [];
  let count = 0;
  for (const [index, input] of inputs.entries()) {
    const found = check(input);
    count += found.length;
    for (const { path, message } of found.slice(0, PROBLEMS_MAX - problems.length))
      problems.push({ path: path === "" ? placeOf(index) : `${placeOf(index)}.${path}`, message });
  }
  const more = count - problems.length;
  return more > 0 ? [...problems, { path: "", message: `and ${more} more problems` }] : problems;
}

function columnProblems({ steps }: Scraper, columns: readonly string[]): Problem[] {
  const path = "inputs";
  if (columns.length > INPUT_COLUMNS_MAX)
    return [{ path, message: `must have at most ${INPUT_COLUMNS_MAX} different names of values` }];
  const ids = steps.flatMap(({ id, type }) => (isOverridable(type) ? [id] : []));
  if (ids.length === 0) {
    const types = Object.keys(overridable).join(", ");
    return [
      { path, message: `can't be used: the scraper has no step of the types ${types}, which inputs change` },
    ];
  }
  const problems = columns.flatMap((name): Problem[] => {
    const step = steps.find(({ id }) => id === name);
    if (step !== undefined && !isOverridable(step.type)) {
      const types = Object.keys(overridable).join(", ");
      const message = `"${name}" is a ${step.type} step; inputs change only ${types} steps. Rename the column`;
      return [{ path, message }];
    }
    if (RESERVED_NAMES.includes(name)) return [{ path, message: RESERVED_NAME }];
    if (name.length > STEP_ID_MAX)
      return [{ path, message: `must have names of at most ${STEP_ID_MAX} characters` }];
    return [];
  });
  const missing = ids.filter((id) => !columns.includes(id));
  const others = columns.filter((name) => !ids.includes(name) && name.length >= MISSPELLED_MIN);
  for (const { path: name, message } of nearMisses(asKeys(others), missing))
    problems.push({ path, message: `"${name}" ${message.replace("known field", "step")}` });
  if (missing.length === ids.length && problems.length === 0) {
    const message = `must have values for at least one step, under its id. The scraper's steps with a value are: ${ids.join(", ")}`;
    problems.push({ path, message });
  }
  const fields = new Set(columnsOf(steps));
  for (const name of columns)
    if (fields.has(inputColumn(name)))
      problems.push({
        path,
        message: `the scraper has a field "${inputColumn(name)}" already. Rename "${name}"`,
      });
  return problems;
}

const asKeys = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));

/** Returns a function that finds the problems of one input. The paths are names of its values. */
function valueChecker(scraper: Scraper): (input: InputValues) => Problem[] {
  const usesSecrets = usesSecretsIn(scraper);
  const steps = new Map(scraper.steps.map((step) => [step.id, step]));
  const bytes = Buffer.byteLength(JSON.stringify(scraper.steps));
  return (input) => {
    const own = Buffer.byteLength(JSON.stringify(input));
    if (own > INPUT_BYTES_MAX) return [{ path: "", message: `must be at most ${INPUT_BYTES_MAX} bytes` }];
    if (bytes + own > DEFINITION_BYTES_MAX)
      return [{ path: "", message: `must keep the steps of its run at most ${DEFINITION_BYTES_MAX} bytes` }];
    let changed = 0;
    const problems = Object.entries(input).flatMap(([name, value]): Problem[] => {
      const step = steps.get(name);
      if (step === undefined)
        return value.isWellFormed() ? [] : [{ path: name, message: "must be valid Unicode" }];
      if (!isOverridable(step.type)) return [];
      changed += 1;
      const { field } = overridable[step.type];
      const { found } = checkOverride(step, { id: name, [field]: value }, usesSecrets);
      return found.map(({ message }) => ({ path: name, message }));
    });
    return changed === 0 ? [{ path: "", message: "has a value for no step" }] : problems;
  };
}

/** The steps of the run for an input, which was checked. */
export const stepsFor = (steps: readonly StoredStep[], input: InputValues): StoredStep[] =>
  steps.map((step) =>
    Object.hasOwn(input, step.id) && isOverridable(step.type)
      ? ({ ...step, [overridable[step.type].field]: input[step.id] } as StoredStep)
      : step,
  );

export const tooManyInputs = (): Problem => ({
  path: "inputs",
  message: `must have at most ${INPUTS_MAX} inputs. Split them into several batches`,
});
