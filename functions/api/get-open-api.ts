import document from "../../openapi.json" with { type: "json" };
import type { ApiHandler } from "./types.ts";

export const getOpenApi: ApiHandler<"getOpenApi"> = async () => ({ json: document });
