import { listScrapers } from "../../../api/scrapers/list-scrapers.ts";
import { scraperRoutes } from "../../../contract/scrapers/scraper-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listScrapers">(scraperRoutes.listScrapers, listScrapers);
