import { getRunFiles } from "../../../api/runs/get-run-files.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { readFromBucket } from "../../../store/files-bucket.ts";
import { bucket, tableWithFiles } from "../../bindings/table-with-files.ts";
import { apiLambda } from "../api-lambda.ts";

const table = tableWithFiles({ read: readFromBucket(bucket) });

/** Lambda ends a response at 200 MB. */
const RESPONSE_MAX_BYTES = 150_000_000;

export const handler = apiLambda<"getRunFiles">(runRoutes.getRunFiles, getRunFiles, {
  table,
  responseMaxBytes: RESPONSE_MAX_BYTES,
});
