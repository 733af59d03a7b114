import { deleteRun as remove } from "../../store/runs/delete-run.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteRun: ApiHandler<"deleteRun"> = async ({ account, id }, { table, now }) => {
  switch (await remove(table, { account, id }, now())) {
    case "deleted":
      return {};
    case "running":
      throw new HttpError(409, "The run is in progress. Stop it first: POST /v1/runs/{id}/stop");
    case "unknown":
      throw notFound("run");
  }
};
