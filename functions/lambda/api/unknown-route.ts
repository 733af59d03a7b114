import { unknownRouteHandler } from "../../api/http.ts";
import { now } from "../bindings/now.ts";
import { log } from "../bindings/observe.ts";
import { table } from "../bindings/table.ts";
import { lambda } from "./api-lambda.ts";

export const handler = unknownRouteHandler({ table, now, log }, lambda);
