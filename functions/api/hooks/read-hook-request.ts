import { CreateHookRequest } from "../../contract/hooks/hook.ts";
import { nearMisses } from "../../contract/near-misses.ts";
import { type Problem, ValidationError, validate } from "../../contract/validate.ts";
import { addressProblem } from "../../hooks/check-hook.ts";
import { fieldsOf } from "../runs/fields-of.ts";
import { webhookProblems } from "../scrapers/webhook-problems.ts";

interface Operator {
  /** `host:port` pairs that the operator allows. */
  allowHosts: readonly string[];
  /** Whether the operator has set up a mail server. */
  sendsMail: boolean;
}

/**
 * Reads a hook to create.
 * @throws ValidationError with all problems
 */
export function readHookRequest(body: unknown, { allowHosts, sendsMail }: Operator): CreateHookRequest {
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
  if (format === "email" && !sendsMail)
    problems.push({
      path: "format",
      message: "can't be email, because the operator of the service has not set up a mail server",
    });
  problems.push(...nearMisses(body, Object.keys(CreateHookRequest.entries)));
  if (problems.length > 0 || request === undefined) throw new ValidationError(problems);
  return request;
}
