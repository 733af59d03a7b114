import { listScrapers } from "../../api/scrapers/list-scrapers.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("listScrapers", listScrapers);
