import { deleteScraper } from "../../../api/scrapers/delete-scraper.ts";
import { scraperRoutes } from "../../../contract/scrapers/scraper-routes.ts";
import { requestedSchedules } from "../../bindings/schedules.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"deleteScraper">(scraperRoutes.deleteScraper, deleteScraper, {
  schedules: requestedSchedules,
});
