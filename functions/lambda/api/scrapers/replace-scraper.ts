import { replaceScraper } from "../../../api/scrapers/replace-scraper.ts";
import { scraperRoutes } from "../../../contract/scrapers/scraper-routes.ts";
import { allowHosts } from "../../bindings/environment.ts";
import { requestedSchedules } from "../../bindings/schedules.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"replaceScraper">(scraperRoutes.replaceScraper, replaceScraper, {
  schedules: requestedSchedules,
  allowHosts,
});
