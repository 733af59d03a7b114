import { deleteScraper } from "../../api/scrapers/delete-scraper.ts";
import { scraperRoutes } from "../../contract/scraper-routes.ts";
import { requestedSchedules } from "../schedules.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"deleteScraper">(scraperRoutes.deleteScraper, deleteScraper, {
  schedules: requestedSchedules,
});
