import { getScraper } from "../../api/scrapers/get-scraper.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getScraper", getScraper);
