import { listBatches } from "../../../api/batches/list-batches.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listBatches">(batchRoutes.listBatches, listBatches);
