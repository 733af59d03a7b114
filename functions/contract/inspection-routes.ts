import { Inspection, InspectionRequest } from "./inspection.ts";
import type { Route } from "./route.ts";

export const inspectionRoutes = {
  createInspection: {
    method: "POST",
    path: "/v1/inspections",
    summary: "Try steps, and see what a page has",
    description:
      "Runs a definition, a stored scraper or a visit to a URL in a fresh browser, and returns its first rows with what " +
      "the page could be read as. Nothing is stored but the credits. The status is 200 also if a step fails: see `ok` " +
      "and `error`. It takes at most 60 seconds. 503: no browser is free; try again after `Retry-After` seconds.",
    body: InspectionRequest,
    status: 200,
    response: Inspection,
    errors: [403, 404],
  },
} as const satisfies Record<string, Route>;
