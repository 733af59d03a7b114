import { CreateHookRequest } from "../../contract/hook.ts";
import { nearMisses } from "../../contract/near-misses.ts";
import { type Problem, ValidationError, validate } from "../../contract/validate.ts";
import { addressProblem } from "../../hooks/check-hook.ts";
import { fieldsOf } from "../runs/fields-of.ts";
import { webhookProblems } from "../scrapers/webhook-problems.ts";

/**
 * Reads a hook to create. `allowHosts`: `host:port` pairs that the operator allows.
 * @throws ValidationError with all problems
 */
export function readHookRequest(body: unknown, allowHosts: readonly string[]): CreateHookRequest {
  const problems: Problem[] = [];
  let request: CreateHookRequest | undefined;
  try {
    request = validate(CreateHookRequest, body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.push(...error.problems);
  }
  const { url, format } = fieldsOf(body);
  const isKnown = !problems.some(({ path }) => path === "url" || path === "format");
  if (isKnown && typeof url === "string") {
    const message = addressProblem({ url, format: format as CreateHookRequest["format"] }, allowHosts);
    if (message !== undefined) problems.push({ path: "url", message });
    else
      problems.push(
        ...webhookProblems({ webhook_url: url }, allowHosts).map((each) => ({ ...each, path: "url" })),
      );
  }
  problems.push(...nearMisses(body, Object.keys(CreateHookRequest.entries)));
  if (problems.length > 0 || request === undefined) throw new ValidationError(problems);
  return request;
}
