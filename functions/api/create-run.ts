import { runJson } from "../runs/run-json.ts";
import { startRun } from "../runs/start-run.ts";
import { checkRunRequest } from "./check-run-request.ts";
import { HttpError, notFound } from "./http-error.ts";
import type { ApiHandler } from "./types.ts";

const MAX_KEY_LENGTH = 255;

export const createRun: ApiHandler<"createRun"> = async ({ account, body, headers }, deps) => {
  const idempotencyKey = headers["idempotency-key"];
  if (idempotencyKey !== undefined && (idempotencyKey === "" || idempotencyKey.length > MAX_KEY_LENGTH)) {
    throw new HttpError(400, `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} characters long.`);
  }
  const request = await checkRunRequest(deps, account, body);
  const result = await startRun(deps, { account, source: "api", request, idempotencyKey });
  switch (result.outcome) {
    case "started":
      return { json: runJson(deps.table, result.run), headers: { location: `/v1/runs/${result.run.id}` } };
    case "unknown_scraper":
      throw notFound("scraper");
    case "no_credits":
      throw new HttpError(403, "The account has no credits left this month.");
    case "key_reused":
      throw new HttpError(409, "This Idempotency-Key was used for a different request in the last 24 hours.");
  }
};
