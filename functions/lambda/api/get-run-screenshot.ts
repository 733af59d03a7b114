import { getRunScreenshot } from "../../api/runs/get-run-screenshot.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getRunScreenshot", getRunScreenshot);
