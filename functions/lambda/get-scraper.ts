import { getScraper } from "../api/get-scraper.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getScraper", getScraper);
