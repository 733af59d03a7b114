import { createInspection } from "../../api/create-inspection.ts";
import { inspectionRoutes } from "../../contract/inspections/inspection-routes.ts";
import { inspect } from "../bindings/inspect.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"createInspection">(inspectionRoutes.createInspection, createInspection, {
  inspect,
});
