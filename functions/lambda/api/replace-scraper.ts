import { replaceScraper } from "../../api/scrapers/replace-scraper.ts";
import { scraperRoutes } from "../../contract/scraper-routes.ts";
import { allowHosts } from "../environment.ts";
import { schedules } from "../schedules.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"replaceScraper">(scraperRoutes.replaceScraper, replaceScraper, {
  schedules,
  allowHosts,
});
