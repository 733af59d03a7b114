import { callMcp } from "../../api/call-mcp.ts";
import { mcpRoutes } from "../../contract/mcp-routes.ts";
import { baseUrl } from "../bindings/environment.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"callMcp">(mcpRoutes.callMcp, callMcp, { baseUrl });
