import type { RouteName } from "../contract/routes.ts";
import { createBatch } from "./batches/create-batch.ts";
import { deleteBatch } from "./batches/delete-batch.ts";
import { getBatch } from "./batches/get-batch.ts";
import { getBatchRows } from "./batches/get-batch-rows.ts";
import { listBatchInputs } from "./batches/list-batch-inputs.ts";
import { listBatches } from "./batches/list-batches.ts";
import { stopBatch } from "./batches/stop-batch.ts";
import { createInspection } from "./create-inspection.ts";
import { getAccount } from "./get-account.ts";
import { getHealth } from "./get-health.ts";
import { getOpenApi } from "./get-open-api.ts";
import { getReference } from "./get-reference.ts";
import { createHook } from "./hooks/create-hook.ts";
import { deleteHook } from "./hooks/delete-hook.ts";
import { getHook } from "./hooks/get-hook.ts";
import { listHooks } from "./hooks/list-hooks.ts";
import { testHook } from "./hooks/test-hook.ts";
import { listAuditEntries } from "./list-audit-entries.ts";
import { createRun } from "./runs/create-run.ts";
import { deleteRun } from "./runs/delete-run.ts";
import { getRun } from "./runs/get-run.ts";
import { getRunChanges } from "./runs/get-run-changes.ts";
import { getRunFiles } from "./runs/get-run-files.ts";
import { getRunRows } from "./runs/get-run-rows.ts";
import { getRunScreenshot } from "./runs/get-run-screenshot.ts";
import { getRunWebhook } from "./runs/get-run-webhook.ts";
import { listRuns } from "./runs/list-runs.ts";
import { readRunLog } from "./runs/read-run-log.ts";
import { resendRunWebhook } from "./runs/resend-run-webhook.ts";
import { stopRun } from "./runs/stop-run.ts";
import { createScraper } from "./scrapers/create-scraper.ts";
import { deleteScraper } from "./scrapers/delete-scraper.ts";
import { deleteSeen } from "./scrapers/delete-seen.ts";
import { getScraper } from "./scrapers/get-scraper.ts";
import { listScrapers } from "./scrapers/list-scrapers.ts";
import { replaceScraper } from "./scrapers/replace-scraper.ts";
import { deleteSession } from "./sessions/delete-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { putSession } from "./sessions/put-session.ts";
import type { ApiHandler } from "./types.ts";

/** The handlers of all routes of the contract. */
export const handlers: { [N in RouteName]: ApiHandler<N> } = {
  listRuns,
  createRun,
  getRun,
  readRunLog,
  getRunFiles,
  getRunRows,
  getRunChanges,
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
  deleteSeen,
  listBatches,
  createBatch,
  getBatch,
  listBatchInputs,
  getBatchRows,
  stopBatch,
  deleteBatch,
  listHooks,
  createHook,
  getHook,
  testHook,
  deleteHook,
  listSessions,
  putSession,
  deleteSession,
  createInspection,
  // Imported on first use, because the libraries for MCP take 20 MB of memory.
  callMcp: async (...request) => (await import("./call-mcp.ts")).callMcp(...request),
  listAuditEntries,
  getAccount,
  getOpenApi,
  getReference,
  getHealth,
};
