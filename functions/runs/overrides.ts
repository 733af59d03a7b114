import * as v from "valibot";
import type { StepOverride } from "../contract/run.ts";
import { DEFINITION_BYTES_MAX, type StoredStep } from "../contract/scraper.ts";
import { noSecrets } from "../contract/secret-references.ts";
import { mentionsSecret } from "../contract/secret-syntax.ts";
import { overridable } from "../contract/steps.ts";
import { type Problem, ValidationError, validate } from "../contract/validate.ts";

/**
 * The scraper's steps with the values of a request. Overrides are matched by `id`; the scraper's step defines the type.
 * @throws ValidationError with every problem of every override
 */
export function overrideSteps(
  steps: readonly StoredStep[],
  overrides: readonly StepOverride[],
): StoredStep[] {
  const usesSecrets = steps.some(refersToSecret);
  const problems: Problem[] = [];
  const values = new Map<string, Record<string, unknown>>();
  overrides.forEach((override, index) => {
    const path = `steps[${index}]`;
    if (values.has(override.id)) {
      problems.push({ path: `${path}.id`, message: `overrides the step "${override.id}" a second time` });
      return;
    }
    const step = steps.find(({ id }) => id === override.id);
    const { value, found } = step
      ? checkOverride(step, override, usesSecrets)
      : {
          value: {},
          found: [{ path: "id", message: `the scraper has no step with the id "${override.id}"` }],
        };
    values.set(override.id, value);
    problems.push(...found.map((problem) => ({ ...problem, path: `${path}.${problem.path}` })));
  });
  if (problems.length > 0) throw new ValidationError(problems);
  const overridden = steps.map((step) => ({ ...step, ...values.get(step.id) }) as StoredStep);
  if (overrides.length > 0 && Buffer.byteLength(JSON.stringify(overridden)) > DEFINITION_BYTES_MAX) {
    const message = `must leave the run with steps of at most ${DEFINITION_BYTES_MAX} bytes in all`;
    throw new ValidationError([{ path: "steps", message }]);
  }
  return overridden;
}

const isOverridable = (type: string): type is keyof typeof overridable => Object.hasOwn(overridable, type);

const refersToSecret = (step: StoredStep): boolean =>
  (step.type === "visit" && mentionsSecret(step.url)) ||
  (step.type === "write_input" && mentionsSecret(step.value));

const originOf = (url: string) => URL.parse(url)?.origin;

/** The values that an override sets, or its problems. Paths are relative to the override. */
function checkOverride(
  step: StoredStep,
  override: StepOverride,
  usesSecrets: boolean,
): { value: Record<string, unknown>; found: Problem[] } {
  const wrong = (path: string, message: string) => ({ value: {}, found: [{ path, message }] });
  if (!isOverridable(step.type)) {
    const types = Object.keys(overridable).join(", ");
    return wrong(
      "id",
      `"${step.id}" is a ${step.type} step; only steps of the types ${types} can be modified`,
    );
  }
  if (override.type !== undefined && override.type !== step.type) {
    return wrong("type", `contradicts the scraper, where "${step.id}" is a ${step.type} step`);
  }
  const { field, schema } = overridable[step.type];
  const value = override[field] ?? undefined;
  if (value === undefined) return wrong(field, `is required to modify a ${step.type} step`);
  try {
    const valid = validate(v.pipe(schema, noSecrets), value);
    // Otherwise, a key that can start runs could send secrets to any host.
    if (usesSecrets && step.type === "visit" && originOf(valid) !== originOf(step.url)) {
      return wrong(field, `must stay on ${originOf(step.url)}, as the scraper uses secrets`);
    }
    return { value: { [field]: valid }, found: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { value: {}, found: error.problems.map((problem) => ({ ...problem, path: field })) };
  }
}
