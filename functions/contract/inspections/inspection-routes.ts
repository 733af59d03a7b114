import type { Route } from "../route.ts";
import { Inspection, InspectionRequest } from "./inspection.ts";

export const inspectionRoutes = {
  createInspection: {
    method: "POST",
    path: "/v1/inspections",
    scope: "write",
    action: null,
    summary: "Try steps and inspect a page",
    description:
      "Runs a definition, a stored scraper or a visit to a URL in a fresh browser context. Returns the first rows, and proposals " +
      "of lists, fields and paginations. Stores nothing but the credits. The status is also 200 if a step fails: see " +
      "`ok` and `error`. It takes at most 60 seconds. 429: too many requests, no browser is free, or the account has 4 inspections in progress; try again after `Retry-After` seconds.",
    body: InspectionRequest,
    status: 200,
    response: Inspection,
    errors: [403, 404],
  },
} as const satisfies Record<string, Route>;
