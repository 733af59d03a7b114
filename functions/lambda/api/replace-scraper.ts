import { replaceScraper } from "../../api/scrapers/replace-scraper.ts";
import { scraperRoutes } from "../../contract/scraper-routes.ts";
import { allowHosts } from "../environment.ts";
import { requestedSchedules } from "../schedules.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"replaceScraper">(scraperRoutes.replaceScraper, replaceScraper, {
  schedules: requestedSchedules,
  allowHosts,
});
