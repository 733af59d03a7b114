import { callMcp } from "../../api/call-mcp.ts";
import { baseUrl } from "../environment.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("callMcp", callMcp, { baseUrl });
