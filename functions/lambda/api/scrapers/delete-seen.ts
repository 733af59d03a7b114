import { deleteSeen } from "../../../api/scrapers/delete-seen.ts";
import { scraperRoutes } from "../../../contract/scrapers/scraper-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"deleteSeen">(scraperRoutes.deleteSeen, deleteSeen);
