import type { RouteName } from "../contract/routes.ts";
import { createRun } from "./create-run.ts";
import { createScraper } from "./create-scraper.ts";
import { deleteRun } from "./delete-run.ts";
import { deleteScraper } from "./delete-scraper.ts";
import { getAccount } from "./get-account.ts";
import { getHealth } from "./get-health.ts";
import { getOpenApi } from "./get-open-api.ts";
import { getRun } from "./get-run.ts";
import { getRunRows } from "./get-run-rows.ts";
import { getRunScreenshot } from "./get-run-screenshot.ts";
import { getRunWebhook } from "./get-run-webhook.ts";
import { getScraper } from "./get-scraper.ts";
import { listRuns } from "./list-runs.ts";
import { listScrapers } from "./list-scrapers.ts";
import { readRunLog } from "./read-run-log.ts";
import { replaceScraper } from "./replace-scraper.ts";
import { resendRunWebhook } from "./resend-run-webhook.ts";
import { stopRun } from "./stop-run.ts";
import type { ApiHandler } from "./types.ts";

/** The handler of every route of the contract. */
export const handlers: { [N in RouteName]: ApiHandler<N> } = {
  listRuns,
  createRun,
  getRun,
  readRunLog,
  getRunRows,
  getRunScreenshot,
  getRunWebhook,
  resendRunWebhook,
  stopRun,
  deleteRun,
  listScrapers,
  createScraper,
  getScraper,
  replaceScraper,
  deleteScraper,
  getAccount,
  getOpenApi,
  getHealth,
};
