import { getBatch } from "../../../api/batches/get-batch.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getBatch">(batchRoutes.getBatch, getBatch);
