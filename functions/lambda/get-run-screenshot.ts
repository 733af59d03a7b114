import { getRunScreenshot } from "../api/get-run-screenshot.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getRunScreenshot", getRunScreenshot);
