import { getHook } from "../../../api/hooks/get-hook.ts";
import { hookRoutes } from "../../../contract/hooks/hook-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getHook">(hookRoutes.getHook, getHook);
