import { replaceScraper } from "../api/replace-scraper.ts";
import { apiLambda } from "./api-lambda.ts";
import { allowHosts } from "./environment.ts";
import { schedules } from "./schedules.ts";

export const handler = apiLambda("replaceScraper", replaceScraper, { schedules, allowHosts });
