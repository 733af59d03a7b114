import { getAccount } from "../../api/get-account.ts";
import { serviceRoutes } from "../../contract/service-routes.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"getAccount">(serviceRoutes.getAccount, getAccount);
