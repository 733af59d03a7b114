import { createScraper } from "../api/create-scraper.ts";
import { apiLambda } from "./api-lambda.ts";
import { allowHosts } from "./environment.ts";
import { schedules } from "./schedules.ts";

export const handler = apiLambda("createScraper", createScraper, { schedules, allowHosts });
