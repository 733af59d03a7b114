import { runJson } from "../../runs/run-json.ts";
import { startRun } from "../../runs/start-run.ts";
import { idempotencyKeyOf, notCreated } from "../idempotency-key.ts";
import { sourceOf } from "../source-of.ts";
import type { ApiHandler } from "../types.ts";
import { checkRunRequest } from "./check-run-request.ts";

export const createRun: ApiHandler<"createRun"> = async ({ account, body, headers }, deps) => {
  const idempotencyKey = idempotencyKeyOf(headers);
  const request = await checkRunRequest(deps, account, body);
  const result = await startRun(deps, {
    account,
    source: sourceOf(headers),
    request,
    idempotencyKey,
  });
  if (result.outcome !== "started") throw notCreated("run", result.outcome);
  return { json: runJson(deps.table, result.run), headers: { location: `/v1/runs/${result.run.id}` } };
};
