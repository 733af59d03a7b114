import { getRunScreenshot } from "../../../api/runs/get-run-screenshot.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getRunScreenshot">(runRoutes.getRunScreenshot, getRunScreenshot);
