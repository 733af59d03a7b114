import { createHook } from "../../../api/hooks/create-hook.ts";
import { hookRoutes } from "../../../contract/hooks/hook-routes.ts";
import { allowHosts, smtpParameter } from "../../bindings/environment.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"createHook">(hookRoutes.createHook, createHook, {
  allowHosts,
  sendsMail: () => smtpParameter() !== undefined,
});
