import { listHooks } from "../../../api/hooks/list-hooks.ts";
import { hookRoutes } from "../../../contract/hooks/hook-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listHooks">(hookRoutes.listHooks, listHooks);
