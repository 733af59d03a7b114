import { createInspection } from "../../api/create-inspection.ts";
import { apiLambda } from "./api-lambda.ts";
import { inspect } from "../inspect.ts";

export const handler = apiLambda("createInspection", createInspection, { inspect });
