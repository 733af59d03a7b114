import { getScraper } from "../../../api/scrapers/get-scraper.ts";
import { scraperRoutes } from "../../../contract/scrapers/scraper-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getScraper">(scraperRoutes.getScraper, getScraper);
