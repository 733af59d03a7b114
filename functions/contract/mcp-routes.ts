import type { Route } from "./route.ts";
import { AnyObject } from "./service-routes.ts";

export const mcpRoutes = {
  callMcp: {
    method: "POST",
    path: "/v1/mcp",
    scope: "read",
    action: null,
    summary: "Use the service from an agent",
    description: "The Model Context Protocol over Streamable HTTP, without sessions.",
    body: AnyObject,
    status: 200,
    response: AnyObject,
    media: ["text/event-stream"],
    emptyStatus: 202,
  },
} as const satisfies Record<string, Route>;
