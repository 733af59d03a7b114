import type * as v from "valibot";
import { auditRoutes } from "./audit/audit-routes.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import { hookRoutes } from "./hooks/hook-routes.ts";
import { inspectionRoutes } from "./inspections/inspection-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { runRoutes } from "./runs/run-routes.ts";
import { scraperRoutes } from "./scrapers/scraper-routes.ts";
import { serviceRoutes } from "./service-routes.ts";
import { sessionRoutes } from "./sessions/session-routes.ts";

/** All endpoints of the API, by name. */
export const routes = {
  ...runRoutes,
  ...scraperRoutes,
  ...batchRoutes,
  ...hookRoutes,
  ...sessionRoutes,
  ...inspectionRoutes,
  ...mcpRoutes,
  ...auditRoutes,
  ...serviceRoutes,
} as const;

export type RouteName = keyof typeof routes;
/** The handlers of a service: one for each route, and one for the requests that no route matches. */
export type HandlerName = RouteName | "unknownRoute";
type Output<T> = T extends v.GenericSchema ? v.InferOutput<T> : Record<string, never>;
/** The validated query of a route. */
export type QueryOf<N extends RouteName> = (typeof routes)[N] extends { query: infer Q }
  ? Output<Q>
  : Record<string, never>;
