import { getOpenApi } from "../../api/get-open-api.ts";
import { serviceRoutes } from "../../contract/service-routes.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"getOpenApi">(serviceRoutes.getOpenApi, getOpenApi);
