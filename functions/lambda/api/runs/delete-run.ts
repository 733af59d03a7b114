import { deleteRun } from "../../../api/runs/delete-run.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { removeFromBucket } from "../../../store/files-bucket.ts";
import { bucket, tableWithFiles } from "../../bindings/table-with-files.ts";
import { apiLambda } from "../api-lambda.ts";

const table = tableWithFiles({ remove: removeFromBucket(bucket) });

export const handler = apiLambda<"deleteRun">(runRoutes.deleteRun, deleteRun, { table });
