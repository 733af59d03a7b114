import { getBatchRows } from "../../../api/batches/get-batch-rows.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getBatchRows">(batchRoutes.getBatchRows, getBatchRows);
