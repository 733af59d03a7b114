import type { RouteName } from "../contract/routes.ts";
import { createRun } from "./create-run.ts";
import { getRun } from "./get-run.ts";
import { getScraper } from "./get-scraper.ts";
import type { ApiHandler } from "./http.ts";
import { listRuns } from "./list-runs.ts";
import { listScrapers } from "./list-scrapers.ts";

/** The handler of every route of the contract. */
export const handlers: { [N in RouteName]: ApiHandler<N> } = {
  listRuns,
  createRun,
  getRun,
  listScrapers,
  getScraper,
};
