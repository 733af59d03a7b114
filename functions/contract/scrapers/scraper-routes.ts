import * as v from "valibot";
import { Page, pageOf, type Route } from "../route.ts";
import { ScraperDefinition, ScraperSchema } from "./scraper.ts";

export const ScraperList = pageOf(ScraperSchema);

export const scraperRoutes = {
  listScrapers: {
    method: "GET",
    path: "/v1/scrapers",
    scope: "read",
    summary: "List scrapers, newest first",
    description: "Returns a page of at most 50 scrapers.",
    query: v.object({ page: Page }),
    status: 200,
    response: ScraperList,
  },
  createScraper: {
    method: "POST",
    path: "/v1/scrapers",
    scope: "write",
    action: "scraper.create",
    summary: "Store a new scraper",
    description:
      "Stores a definition as a new scraper. The definition has no `id`: the service gives it one. Fields that only " +
      "the service sets are ignored, so that you can send a scraper as you retrieved it.",
    body: ScraperDefinition,
    requestHeaders: ["Idempotency-Key"],
    status: 201,
    response: ScraperSchema,
    responseHeaders: ["Location", "ETag"],
    errors: [409],
  },
  getScraper: {
    method: "GET",
    path: "/v1/scrapers/{id}",
    scope: "read",
    summary: "Retrieve a scraper",
    description: "Returns a scraper. Secrets appear as placeholders, `{{secret:name}}`.",
    status: 200,
    response: ScraperSchema,
    responseHeaders: ["ETag"],
  },
  replaceScraper: {
    method: "PUT",
    path: "/v1/scrapers/{id}",
    scope: "write",
    action: "scraper.replace",
    summary: "Replace a scraper",
    description:
      "Replaces the whole definition of a scraper; its runs stay. With the `ETag` of the scraper in `If-Match`, the " +
      "request gets 412 if another client has changed the scraper in the meantime.",
    body: ScraperDefinition,
    requestHeaders: ["If-Match"],
    status: 200,
    response: ScraperSchema,
    responseHeaders: ["ETag"],
    errors: [412],
  },
  deleteScraper: {
    method: "DELETE",
    path: "/v1/scrapers/{id}",
    scope: "write",
    action: "scraper.delete",
    summary: "Delete a scraper",
    description:
      "Permanently deletes a scraper, its schedule, and the hooks for this scraper only. Its runs stay.",
    status: 204,
  },
  deleteSeen: {
    method: "DELETE",
    path: "/v1/scrapers/{id}/seen",
    scope: "write",
    action: "scraper.forget_rows",
    summary: "Forget the rows of a scraper",
    description:
      "Forgets the keys and the baseline of a scraper, and how many rows its runs usually have. Its next run is compared " +
      "with nothing, and with `only_new` it has all rows. Runs stay.",
    status: 204,
  },
} as const satisfies Record<string, Route>;
