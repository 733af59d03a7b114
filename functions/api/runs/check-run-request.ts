import * as v from "valibot";
import { nearMisses } from "../../contract/near-misses.ts";
import { CreateRunRequest, StepOverride } from "../../contract/runs/run.ts";
import { type Problem, ValidationError, validate } from "../../contract/validate.ts";
import { overrideProblems } from "../../runs/overrides.ts";
import { getScraper } from "../../store/scrapers.ts";
import { webhookProblems } from "../scrapers/webhook-problems.ts";
import type { ApiDeps } from "../types.ts";
import { fieldsOf } from "./fields-of.ts";

/**
 * Validates the body of a request to create a run.
 * @throws ValidationError with all problems of the request, including those of its overrides
 */
export async function checkRunRequest(
  { table, allowHosts }: Pick<ApiDeps, "table" | "allowHosts">,
  account: string,
  body: unknown,
): Promise<CreateRunRequest> {
  const problems = [...misspelledFields(body), ...webhookProblems(body, allowHosts())];
  try {
    const request = validate(CreateRunRequest, body);
    if (problems.length === 0) return request;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.unshift(...error.problems);
  }
  const { scraper_id, steps } = fieldsOf(body);
  const scraper = typeof scraper_id === "string" ? await getScraper(table, account, scraper_id) : undefined;
  if (scraper !== undefined && Array.isArray(steps) && steps.length <= OVERRIDES_MAX) {
    // The schema has already reported malformed overrides. Only the others are compared with the scraper.
    const overrides = steps.map((step) => {
      const { success, output } = v.safeParse(StepOverride, step);
      return success ? output : undefined;
    });
    problems.push(...overrideProblems(scraper, overrides));
  }
  throw new ValidationError(problems);
}

/** The maximum number of overrides, as in the schema. */
const OVERRIDES_MAX = 200;

/** Problems of fields that look misspelled. */
function misspelledFields(body: unknown): Problem[] {
  const { steps } = fieldsOf(body);
  const overrides = Array.isArray(steps) && steps.length <= OVERRIDES_MAX ? steps : [];
  return [
    ...nearMisses(body, Object.keys(CreateRunRequest.entries)),
    ...overrides.flatMap((step, index) =>
      nearMisses(step, Object.keys(StepOverride.entries), `steps[${index}]`),
    ),
  ];
}
