import { getHealth } from "../../api/get-health.ts";
import { serviceRoutes } from "../../contract/service-routes.ts";
import { checkQueues } from "../bindings/check-queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"getHealth">(serviceRoutes.getHealth, getHealth, { checkQueues });
