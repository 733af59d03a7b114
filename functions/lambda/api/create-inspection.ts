import { createInspection } from "../../api/create-inspection.ts";
import { inspect } from "../inspect.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("createInspection", createInspection, { inspect });
