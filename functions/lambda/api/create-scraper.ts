import { createScraper } from "../../api/scrapers/create-scraper.ts";
import { scraperRoutes } from "../../contract/scraper-routes.ts";
import { allowHosts } from "../environment.ts";
import { requestedSchedules } from "../schedules.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"createScraper">(scraperRoutes.createScraper, createScraper, {
  schedules: requestedSchedules,
  allowHosts,
});
