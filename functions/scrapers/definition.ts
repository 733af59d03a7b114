import { ownInputProblems } from "../batches/own-inputs.ts";
import { watchingProblems } from "../changes/watching-problems.ts";
import { DEFINITION_BYTES_MAX, type Schedule, ScraperDefinition } from "../contract/scrapers/scraper.ts";
import { type Problem, ValidationError, validate } from "../contract/validate.ts";
import type { NewScraper } from "../store/scrapers.ts";

/** A valid definition, with an id for each step. */
export interface Definition {
  /** The id that the definition has itself. */
  id: string | undefined;
  scraper: Omit<NewScraper, "schedule">;
  schedule: Schedule | null;
}

/**
 * Reads a definition. `found`: problems that the caller has found.
 * @throws ValidationError with every problem, those that were found among them
 */
export function readDefinition(input: unknown, found: readonly Problem[] = []): Definition {
  const problems = [...found];
  try {
    const definition = withStepIds(validate(ScraperDefinition, input));
    const bytes = Buffer.byteLength(JSON.stringify(definition.scraper));
    if (bytes > DEFINITION_BYTES_MAX)
      problems.push({ path: "", message: `is larger than ${DEFINITION_BYTES_MAX} bytes` });
    problems.push(...ownInputProblems(definition.scraper));
    problems.push(...watchingProblems(definition.scraper.steps, definition.scraper));
    if (problems.length === 0) return definition;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.unshift(...error.problems);
  }
  throw new ValidationError(problems);
}

const withStepIds = ({ id, steps, schedule, ...rest }: ScraperDefinition): Definition => ({
  id,
  scraper: { ...rest, steps: steps.map((step, index) => ({ ...step, id: step.id ?? freeId(steps, index) })) },
  schedule,
});

/** An id for a step without one: its position, or a similar id that no other step has. */
function freeId(steps: ScraperDefinition["steps"], index: number): string {
  const taken = new Set(steps.map((step) => step.id));
  let id = `step-${index + 1}`;
  while (taken.has(id)) id += "-";
  return id;
}
