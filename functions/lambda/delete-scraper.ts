import { deleteScraper } from "../api/delete-scraper.ts";
import { apiLambda } from "./api-lambda.ts";
import { schedules } from "./schedules.ts";

export const handler = apiLambda("deleteScraper", deleteScraper, { schedules });
