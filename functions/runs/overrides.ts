import * as v from "valibot";
import type { StepOverride } from "../contract/runs/run.ts";
import { DEFINITION_BYTES_MAX, type Pagination, type StoredStep } from "../contract/scrapers/scraper.ts";
import type { SiteAccess } from "../contract/scrapers/site-access.ts";
import { noSecrets, textsWithSecrets } from "../contract/secrets/secret-references.ts";
import { mentionsSecret } from "../contract/secrets/secret-syntax.ts";
import type { SessionSettings } from "../contract/sessions/session.ts";
import { overridable } from "../contract/steps/steps.ts";
import { type Problem, ValidationError, validate } from "../contract/validate.ts";

/** The parts of a scraper that overrides depend on. */
interface Overridable extends SiteAccess {
  steps: readonly StoredStep[];
  pagination: Pagination;
  session?: SessionSettings | undefined;
}

/**
 * Applies the overrides of a request to the steps of a scraper. Each override changes the step with its `id`.
 * @throws ValidationError with all problems of all overrides
 */
export function overrideSteps(scraper: Overridable, overrides: readonly StepOverride[]): StoredStep[] {
  const { values, problems } = checkOverrides(scraper, overrides);
  if (problems.length > 0) throw new ValidationError(problems);
  const overridden = scraper.steps.map((step) => ({ ...step, ...values.get(step.id) }) as StoredStep);
  if (overrides.length > 0 && Buffer.byteLength(JSON.stringify(overridden)) > DEFINITION_BYTES_MAX) {
    const message = `must keep the run's steps at most ${DEFINITION_BYTES_MAX} bytes in total`;
    throw new ValidationError([{ path: "steps", message }]);
  }
  return overridden;
}

/** The problems of overrides with a scraper. Undefined overrides are skipped, but keep their index. */
export const overrideProblems = (
  scraper: Overridable,
  overrides: readonly (StepOverride | undefined)[],
): Problem[] => checkOverrides(scraper, overrides).problems;

/** Whether a scraper refers to secrets. */
export const usesSecretsIn = (scraper: Overridable): boolean =>
  textsWithSecrets(scraper).some(mentionsSecret);

function checkOverrides(
  scraper: Overridable,
  overrides: readonly (StepOverride | undefined)[],
): { values: Map<string, Record<string, unknown>>; problems: Problem[] } {
  const { steps } = scraper;
  const usesSecrets = usesSecretsIn(scraper);
  const problems: Problem[] = [];
  const values = new Map<string, Record<string, unknown>>();
  overrides.forEach((override, index) => {
    if (override === undefined) return;
    const path = `steps[${index}]`;
    if (values.has(override.id)) {
      problems.push({
        path: `${path}.id`,
        message: `must not override the step "${override.id}" more than once`,
      });
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
  return { values, problems };
}

export const isOverridable = (type: string): type is keyof typeof overridable =>
  Object.hasOwn(overridable, type);

const originOf = (url: string) => URL.parse(url)?.origin;

/** Returns the field that an override sets on its step, or its problems; paths are relative to the override. */
export function checkOverride(
  step: StoredStep,
  override: StepOverride,
  usesSecrets: boolean,
): { value: Record<string, unknown>; found: Problem[] } {
  const wrong = (path: string, message: string) => ({ value: {}, found: [{ path, message }] });
  if (!isOverridable(step.type)) {
    const types = Object.keys(overridable).join(", ");
    return wrong("id", `"${step.id}" is a ${step.type} step; only ${types} steps can be overridden`);
  }
  if (override.type !== undefined && override.type !== step.type) {
    return wrong("type", `does not match the scraper: "${step.id}" is a ${step.type} step`);
  }
  const { field, schema } = overridable[step.type];
  const value = override[field] ?? undefined;
  if (value === undefined) return wrong(field, `is required to override a ${step.type} step`);
  const other = field === "url" ? "value" : "url";
  if ((override[other] ?? undefined) !== undefined)
    return wrong(other, `does not fit: "${step.id}" is a ${step.type} step, which has only a ${field}`);
  try {
    const valid = validate(v.pipe(schema, noSecrets), value);
    // Otherwise, anyone with an API key could send the scraper's secrets to their own host.
    if (usesSecrets && step.type === "visit" && originOf(valid) !== originOf(step.url)) {
      return wrong(field, `must stay on ${originOf(step.url)}, because the scraper uses secrets`);
    }
    return { value: { [field]: valid }, found: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { value: {}, found: error.problems.map((problem) => ({ ...problem, path: field })) };
  }
}
