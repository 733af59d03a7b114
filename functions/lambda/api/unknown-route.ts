import { unknownRouteHandler } from "../../api/http.ts";
import { now } from "../now.ts";
import { log } from "../observe.ts";
import { table } from "../table.ts";
import { lambda } from "./api-lambda.ts";

export const handler = unknownRouteHandler({ table, now, log }, lambda);
