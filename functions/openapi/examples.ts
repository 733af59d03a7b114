import {
  exampleBatch,
  exampleBatchInput,
  exampleBatchRequest,
  exampleBatchRow,
  exampleDefinition,
  exampleForm,
  exampleInspection,
  exampleRequest,
  exampleRuns,
  exampleScraper,
  exampleUploads,
  exampleWebhook,
} from "../contract/examples.ts";
import { exampleHook, exampleHookAlert, exampleHookRequest } from "../contract/hooks/hook-examples.ts";
import type { RouteName } from "../contract/routes.ts";
import { FEATURES } from "../contract/service-routes.ts";
import { exampleSession, exampleSessionState } from "../contract/sessions/session-examples.ts";

/** An example of each JSON response; undefined if the response has no JSON. */
export const examples: Record<RouteName, unknown> = {
  listRuns: { next_page: 2, data: [exampleRuns.finished, exampleRuns.failed] },
  createRun: exampleRuns.created,
  getRun: exampleRuns.finished,
  getRunRows: exampleRuns.finished.result_rows,
  getRunChanges: [
    {
      kind: "changed",
      row: { title: "Middlemarch", price: "£6.50", url: "https://books.example.com/books/12" },
      old: { price: "£7.00" },
    },
  ],
  getRunFiles: [
    {
      number: 1,
      name: "00001-middlemarch.pdf",
      url: "https://books.example.com/samples/middlemarch.pdf",
      row: 0,
      field: "sample",
      bytes: 482_113,
      type: "application/pdf",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      error: null,
    },
  ],
  readRunLog: {
    next: 2,
    finished: false,
    data: [
      { seq: 0, at: "2030-01-30T10:00:00.204Z", code: "started", step: null, message: "The run started." },
      { seq: 1, at: "2030-01-30T10:00:00.391Z", code: "step", step: 0, message: "Step 1: visit" },
    ],
  },
  getRunScreenshot: undefined,
  getRunWebhook: exampleWebhook,
  resendRunWebhook: { ...exampleWebhook, state: "pending" },
  listSessions: { next_page: null, data: [exampleSession] },
  putSession: exampleSession,
  deleteSession: undefined,
  createInspection: exampleInspection,
  callMcp: {
    jsonrpc: "2.0",
    id: 1,
    result: {
      content: [{ type: "text", text: "The account has no scrapers yet. inspect_page begins one." }],
    },
  },
  listAuditEntries: {
    next: null,
    data: [
      {
        id: "2030-01-30T10:00:00.204Z_5d0b8e21",
        at: "2030-01-30T10:00:00.204Z",
        actor: { type: "key", id: "03nH0jV3aVD2", name: "reporting job" },
        action: "run.create",
        target: "0199a3f1-0d2a-7b51-8f6e-2c0000000001",
      },
    ],
  },
  getAccount: {
    id: "default",
    name: "default",
    credits: { used: 1204, limit: 5000, resets_at: "2030-02-01T00:00:00.000Z" },
    storage: { used: 48_200_000, limit: 10_000_000_000 },
    running: 2,
    access: { key_id: "03nH0jV3aVD2", user: null, scope: "write", expires_at: null },
    rate_limit: { requests: 50, seconds: 10 },
    limits: { rows_per_run: 1_000_000, run_seconds: 3600, body_bytes: 1_000_000, page_size: 50 },
    features: FEATURES,
    version: "0.1.0",
  },
  getOpenApi: { openapi: "3.1.0" },
  getReference: undefined,
  getHealth: { status: "ok" },
  stopRun: exampleRuns.stopping,
  deleteRun: undefined,
  listScrapers: { next_page: null, data: [exampleScraper] },
  createScraper: exampleScraper,
  getScraper: exampleScraper,
  replaceScraper: { ...exampleScraper, version: 2, updated_at: "2030-01-20T08:30:00.000Z" },
  deleteScraper: undefined,
  deleteSeen: undefined,
  listBatches: { next_page: null, data: [exampleBatch] },
  createBatch: { ...exampleBatch, waiting: 2, running: 0, credits_used: 0 },
  getBatch: exampleBatch,
  listBatchInputs: { next_page: null, data: [exampleBatchInput] },
  getBatchRows: [exampleBatchRow],
  stopBatch: { ...exampleBatch, stopping: true },
  deleteBatch: undefined,
  listHooks: { next_page: null, data: [exampleHook] },
  createHook: exampleHook,
  getHook: { ...exampleHook, alerts: [exampleHookAlert] },
  testHook: {
    ...exampleHook,
    alerts: [{ ...exampleHookAlert, event: "hook.test", state: "pending", attempts: [] }],
  },
  deleteHook: undefined,
};

/** Examples of request bodies, in each media type that the route accepts. */
export const bodyExamples: Partial<
  Record<RouteName, { json: unknown; form?: unknown; uploads?: Record<string, unknown> }>
> = {
  createRun: { json: exampleRequest, form: exampleForm },
  createBatch: { json: exampleBatchRequest, uploads: exampleUploads },
  createHook: { json: exampleHookRequest },
  putSession: { json: exampleSessionState },
  createScraper: { json: exampleDefinition },
  replaceScraper: { json: exampleDefinition },
  createInspection: { json: { url: "https://books.example.com/fiction", want: ["lists", "pagination"] } },
  callMcp: {
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_scrapers", arguments: {} } },
  },
};
