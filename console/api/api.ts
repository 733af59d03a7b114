import type * as v from "valibot";
import type { AuditEntry } from "../../functions/contract/audit/audit.ts";
import type {
  Batch,
  BatchInput,
  CreateBatchRequest,
  InputFilter,
  InputSource,
} from "../../functions/contract/batches/batch.ts";
import type { CreateHookRequest, Hook, HookWithAlerts } from "../../functions/contract/hooks/hook.ts";
import { ID } from "../../functions/contract/ids.ts";
import type { Inspection, InspectionRequest } from "../../functions/contract/inspections/inspection.ts";
import type { ChangeKind, RowChange as RowChangeSchema } from "../../functions/contract/runs/changes.ts";
import type { RunFile as RunFileSchema } from "../../functions/contract/runs/file.ts";
import type { CreateRunRequest, Row, Run } from "../../functions/contract/runs/run.ts";
import type { RunLog } from "../../functions/contract/runs/run-log.ts";
import type { RunStatus } from "../../functions/contract/runs/run-status.ts";
import type { RunWebhook } from "../../functions/contract/runs/run-webhook.ts";
import type { Scraper, ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { AccountView } from "../../functions/contract/service-routes.ts";
import type { SessionView } from "../../functions/contract/sessions/session.ts";
import type { Secret, SecretEntry } from "../../functions/secrets/secret.ts";
import { ApiError } from "./api-error.ts";
import { type RequestOptions, request } from "./request.ts";

export type {
  AccountView,
  AuditEntry,
  Batch,
  BatchInput,
  ChangeKind,
  CreateRunRequest,
  Hook,
  HookWithAlerts,
  InputFilter,
  InputSource,
  Inspection,
  InspectionRequest,
  Row,
  Run,
  RunStatus,
  RunWebhook,
  Scraper,
  SecretEntry,
};
export type RowChange = v.InferOutput<typeof RowChangeSchema>;
export type RunFile = v.InferOutput<typeof RunFileSchema>;
export type Log = v.InferOutput<typeof RunLog>;
/** A scraper definition as a client sends it: fields with a default may be absent. */
export type Definition = Omit<Partial<ScraperDefinition>, "name" | "steps"> &
  Pick<ScraperDefinition, "name" | "steps">;
/** One page of a paginated list. `next_page` is null on the last page. */
export interface Page<T> {
  next_page: number | null;
  data: T[];
}
/** A scraper and its ETag. A replacement sends the ETag, so that it can replace only this version. */
export interface TaggedScraper {
  scraper: Scraper;
  etag: string;
}
export type FileFormat = "json" | "jsonl" | "csv" | "xlsx";
/** A hook to create. */
export type NewHook = v.InferInput<typeof CreateHookRequest>;
/** What has rows: its name in the paths of the API. */
export type RowsKind = "runs" | "batches";
/** A batch to create: all but the defaults. */
export type NewBatch = v.InferInput<typeof CreateBatchRequest>;
/** A batch to create from a file with inputs. */
export interface NewBatchOfFile {
  scraper_id: string;
  rows_limit?: number | undefined;
  webhook_url?: string | undefined;
}
export interface RowsRange {
  offset: number;
  limit: number;
}
export interface RowsPage {
  rows: Row[];
  /** Length of the response in characters. */
  size: number;
}

type Signal = AbortSignal | undefined;

const SECRETS = "/local/secrets";
const SIGN_INS = "/local/sign-ins";

/** Functions that call the HTTP API. They throw an ApiError if the request fails. `signal` aborts the request. */
export const api = {
  account: (signal?: Signal, key?: string) =>
    json<AccountView>("GET", "/v1/account", { signal, ...(key !== undefined && { key }) }),

  listScrapers: (page = 1, signal?: Signal) =>
    json<Page<Scraper>>("GET", "/v1/scrapers", { query: { page }, signal }),
  getScraper: async (id: string, signal?: Signal) =>
    tagged(await request("GET", pathOf("scrapers", id), { signal })),
  createScraper: async (definition: Definition) =>
    tagged(await request("POST", "/v1/scrapers", { body: definition, headers: idempotent() })),
  /** The status 412 means that the scraper has changed since it had this ETag. */
  replaceScraper: async (id: string, definition: Definition, etag: string) =>
    tagged(await request("PUT", pathOf("scrapers", id), { body: definition, headers: { "if-match": etag } })),
  deleteScraper: async (id: string) => request("DELETE", pathOf("scrapers", id)),

  /** A page of runs, newest first. The runs come without their rows. */
  listRuns: (
    {
      status,
      scraperId,
      page = 1,
    }: { status?: RunStatus | undefined; scraperId?: string | undefined; page?: number },
    signal?: Signal,
  ) =>
    json<Page<Run>>("GET", "/v1/runs", {
      query: { rows: "false", status, scraper_id: scraperId, page },
      signal,
    }),
  /** A run without its rows. */
  getRun: async (id: string, signal?: Signal) =>
    json<Run>("GET", pathOf("runs", id), { query: { rows: "false" }, signal }),
  startRun: (body: CreateRunRequest) => json<Run>("POST", "/v1/runs", { body, headers: idempotent() }),
  stopRun: async (id: string) => json<Run>("POST", pathOf("runs", id, "/stop")),
  deleteRun: async (id: string) => request("DELETE", pathOf("runs", id)),

  /** A page of batches, newest first. */
  listBatches: (page = 1, signal?: Signal) =>
    json<Page<Batch>>("GET", "/v1/batches", { query: { page }, signal }),
  getBatch: async (id: string, signal?: Signal) => json<Batch>("GET", pathOf("batches", id), { signal }),
  /** A page of the inputs of a batch, in their order. */
  listInputs: async (id: string, status: InputFilter | undefined, page: number, signal?: Signal) =>
    json<Page<BatchInput>>("GET", pathOf("batches", id, "/inputs"), { query: { status, page }, signal }),
  createBatch: (body: NewBatch) => json<Batch>("POST", "/v1/batches", { body, headers: idempotent() }),
  /** `file`: a CSV file, in any encoding that the service detects. */
  createBatchOf: (file: Blob, settings: NewBatchOfFile) =>
    json<Batch>("POST", "/v1/batches", {
      body: new Blob([file], { type: "text/csv" }),
      query: { ...settings },
      headers: idempotent(),
    }),
  stopBatch: async (id: string) => json<Batch>("POST", pathOf("batches", id, "/stop")),
  deleteBatch: async (id: string) => request("DELETE", pathOf("batches", id)),

  readRows,
  /** All rows of a run or a batch as a file. CSV values that look like formulas are escaped. */
  rowsFile: async (
    of: RowsKind,
    id: string,
    { format, fields }: { format: FileFormat; fields?: readonly string[] },
    signal?: Signal,
  ): Promise<Blob> => {
    const query = {
      format,
      escape: format === "csv" ? "formulas" : undefined,
      fields: fields && csvLine(fields),
    };
    return (await request("GET", pathOf(of, id, "/rows"), { query, signal })).blob();
  },
  /** The first line of the rows of a batch as CSV: the names of all columns. */
  rowsHead: async (id: string, signal?: Signal): Promise<string> => {
    const query = { format: "csv", bom: "0", limit: 1 };
    return (await request("GET", pathOf("batches", id, "/rows"), { query, signal })).text();
  },
  /** The first changes of a kind, at most `most`. */
  readChanges: async (id: string, kind: ChangeKind, most: number, signal?: Signal) => {
    const query = { kinds: kind, format: "jsonl" };
    return firstLines<RowChange>(
      await request("GET", pathOf("runs", id, "/changes"), { query, signal }),
      most,
    );
  },
  /** All changes of a run as a file. CSV values that look like formulas are escaped. */
  changesFile: async (id: string, format: FileFormat, signal?: Signal): Promise<Blob> => {
    const query = { format, escape: format === "csv" ? "formulas" : undefined };
    return (await request("GET", pathOf("runs", id, "/changes"), { query, signal })).blob();
  },
  /** The first files of a run, at most `limit`. */
  listFiles: async (id: string, limit: number, signal?: Signal) =>
    json<RunFile[]>("GET", pathOf("runs", id, "/files"), { query: { limit }, signal }),
  file: async (id: string, number: number): Promise<Blob> =>
    (await request("GET", pathOf("runs", id, "/files"), { query: { number } })).blob(),
  /** All files of a run as a ZIP archive. */
  archive: async (id: string): Promise<Blob> =>
    (await request("GET", pathOf("runs", id, "/files"), { query: { format: "zip" } })).blob(),
  readLog: async (id: string, after: number, signal?: Signal) =>
    json<Log>("GET", pathOf("runs", id, "/log"), { query: { after }, signal }),
  screenshot: async (id: string, signal?: Signal): Promise<Blob> =>
    (await request("GET", pathOf("runs", id, "/screenshot"), { signal })).blob(),
  getWebhook: async (id: string, signal?: Signal) =>
    json<RunWebhook>("GET", pathOf("runs", id, "/webhook"), { signal }),
  resendWebhook: async (id: string) => json<RunWebhook>("POST", pathOf("runs", id, "/webhook/resend")),
  /** Sends the rows of a run or a batch to the destinations that its scraper has now. */
  resendRows: async (id: string) =>
    json<RunWebhook>("POST", pathOf("runs", id, "/webhook/resend"), { query: { what: "deliveries" } }),

  /** All hooks of the account, newest first. */
  listHooks: async (signal?: Signal) => (await json<Page<Hook>>("GET", "/v1/hooks", { signal })).data,
  createHook: (body: NewHook) => json<Hook>("POST", "/v1/hooks", { body }),
  /** A hook with its newest alerts. */
  getHook: async (id: string, signal?: Signal) =>
    json<HookWithAlerts>("GET", pathOf("hooks", id), { signal }),
  /** Sends a test. While one is waiting, no other is sent. The newest alert of the event `hook.test` is the test. */
  testHook: async (id: string) => json<HookWithAlerts>("POST", pathOf("hooks", id, "/test")),
  deleteHook: async (id: string) => request("DELETE", pathOf("hooks", id)),

  /** A page of the audit log, newest first. `before`: the `next` of the page before. */
  listAudit: (before: string | undefined, signal?: Signal) =>
    json<{ next: string | null; data: AuditEntry[] }>("GET", "/v1/audit", { query: { before }, signal }),

  /** The kept sign-ins of the account, without their cookies. */
  listSessions: async (signal?: Signal) =>
    (await json<Page<SessionView>>("GET", "/v1/sessions", { signal })).data,
  deleteSession: (name: string) => request("DELETE", `/v1/sessions/${encodeURIComponent(name)}`),
  /** Opens a window in which the person signs in. Only a service on one machine has this and the next two. */
  openWindow: (name: string, url: string) => request("POST", SIGN_INS, { body: { name, url } }),
  /** Stores what the window has as a session, and closes it. The status 404 means that there is no window any more. */
  storeWindow: (name: string) => request("PUT", `${SIGN_INS}/${encodeURIComponent(name)}`),
  closeWindow: (name: string) => request("DELETE", `${SIGN_INS}/${encodeURIComponent(name)}`),

  /** The secrets of the account, without values. Only a service on one machine has them and the next two. */
  listSecrets: (signal?: Signal) => json<SecretEntry[]>("GET", SECRETS, { signal }),
  putSecret: (name: string, body: Secret) =>
    request("PUT", `${SECRETS}/${encodeURIComponent(name)}`, { body }),
  removeSecret: (name: string) => request("DELETE", `${SECRETS}/${encodeURIComponent(name)}`),

  /** Takes up to 60 seconds. The status 429 means, for example, that no browser is free: retry after `retryAfterMs`. */
  inspect: (
    body: v.InferInput<typeof import("../../functions/contract/inspections/inspection.ts").InspectionRequest>,
    signal?: Signal,
  ) => json<Inspection>("POST", "/v1/inspections", { body, signal }),
};

/**
 * The path of a scraper, a run, a batch or a hook. The id may come from an address that another site has written.
 * @throws ApiError 404 for a text that is no id, because it could lead to another route
 */
function pathOf(kind: "scrapers" | "hooks" | RowsKind, id: string, rest = ""): string {
  if (ID.test(id)) return `/v1/${kind}/${id}${rest}`;
  throw new ApiError(404, `“${id}” is not an id. Choose one of your ${kind} in the list.`);
}

async function json<T>(
  method: Parameters<typeof request>[0],
  path: string,
  options?: RequestOptions,
): Promise<T> {
  return (await (await request(method, path, options)).json()) as T;
}

async function readRows(
  of: RowsKind,
  id: string,
  { offset, limit }: RowsRange,
  signal?: Signal,
): Promise<RowsPage> {
  const response = await request("GET", pathOf(of, id, "/rows"), { query: { offset, limit }, signal });
  const text = await response.text();
  return { rows: JSON.parse(text) as Row[], size: text.length };
}

const tagged = async (response: Response): Promise<TaggedScraper> => ({
  scraper: (await response.json()) as Scraper,
  etag: response.headers.get("etag") ?? "",
});

const csvLine = (names: readonly string[]): string =>
  names.map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join();

/** With an idempotency key, a request that is sent twice creates only one thing. */
const idempotent = () => ({ "idempotency-key": crypto.randomUUID() });

/** Reads the first lines of a response, each of which is JSON, at most `most`, and does not load the rest. */
async function firstLines<T>(response: Response, most: number): Promise<T[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: string[] = [];
  let rest = "";
  while (reader !== undefined && lines.length < most) {
    const { done, value = "" } = await reader.read();
    const parts = (rest + value).split("\n");
    rest = done ? "" : (parts.pop() ?? "");
    lines.push(...parts.filter((line) => line !== ""));
    if (done) break;
  }
  await reader?.cancel();
  return lines.slice(0, most).map((line) => JSON.parse(line) as T);
}
