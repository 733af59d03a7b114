import { getAccount } from "../api/get-account.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getAccount", getAccount);
