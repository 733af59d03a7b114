import { getReference } from "../../api/get-reference.ts";
import { serviceRoutes } from "../../contract/service-routes.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"getReference">(serviceRoutes.getReference, getReference);
