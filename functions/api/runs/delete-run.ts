import { deleteRun as remove } from "../../store/runs/delete-run.ts";
import { isRunOfBatch } from "../../store/runs/numbering.ts";
import { getRun } from "../../store/runs/runs.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteRun: ApiHandler<"deleteRun"> = async ({ account, id }, { table, now }) => {
  const run = isRunOfBatch(id) ? await getRun(table, { account, id }) : undefined;
  if (run !== undefined)
    throw new HttpError(
      409,
      `The run is a part of a batch. Delete the batch: DELETE /v1/batches/${run.batch_id}`,
    );
  switch (await remove(table, { account, id }, now())) {
    case "deleted":
      return {};
    case "running":
      throw new HttpError(409, "The run is in progress. Stop it first: POST /v1/runs/{id}/stop");
    case "unknown":
      throw notFound("run");
  }
};
