import { deleteHook } from "../../../api/hooks/delete-hook.ts";
import { hookRoutes } from "../../../contract/hooks/hook-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"deleteHook">(hookRoutes.deleteHook, deleteHook);
