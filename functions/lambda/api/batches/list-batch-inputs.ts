import { listBatchInputs } from "../../../api/batches/list-batch-inputs.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listBatchInputs">(batchRoutes.listBatchInputs, listBatchInputs);
