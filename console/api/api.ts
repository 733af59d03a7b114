import type * as v from "valibot";
import { ID } from "../../functions/contract/ids.ts";
import type { Inspection, InspectionRequest } from "../../functions/contract/inspection.ts";
import type { CreateRunRequest, Row, Run } from "../../functions/contract/run.ts";
import type { RunLog } from "../../functions/contract/run-log.ts";
import type { RunStatus } from "../../functions/contract/run-status.ts";
import type { RunWebhook } from "../../functions/contract/run-webhook.ts";
import type { Scraper, ScraperDefinition } from "../../functions/contract/scraper.ts";
import type { AccountView } from "../../functions/contract/service-routes.ts";
import { ApiError } from "./api-error.ts";
import { type RequestOptions, request } from "./request.ts";

export type { AccountView, Inspection, InspectionRequest, Row, Run, RunStatus, RunWebhook, Scraper };
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
  readRows,
  /** All rows of a run as a file. CSV values that look like formulas are escaped. */
  rowsFile: async (id: string, format: FileFormat, signal?: Signal): Promise<Blob> => {
    const query = { format, escape: format === "csv" ? "formulas" : undefined };
    return (await request("GET", pathOf("runs", id, "/rows"), { query, signal })).blob();
  },
  readLog: async (id: string, after: number, signal?: Signal) =>
    json<Log>("GET", pathOf("runs", id, "/log"), { query: { after }, signal }),
  screenshot: async (id: string, signal?: Signal): Promise<Blob> =>
    (await request("GET", pathOf("runs", id, "/screenshot"), { signal })).blob(),
  getWebhook: async (id: string, signal?: Signal) =>
    json<RunWebhook>("GET", pathOf("runs", id, "/webhook"), { signal }),
  resendWebhook: async (id: string) => json<RunWebhook>("POST", pathOf("runs", id, "/webhook/resend")),

  /** Takes up to 60 seconds. The status 429 means, for example, that no browser is free: retry after `retryAfterMs`. */
  inspect: (
    body: v.InferInput<typeof import("../../functions/contract/inspection.ts").InspectionRequest>,
    signal?: Signal,
  ) => json<Inspection>("POST", "/v1/inspections", { body, signal }),
};

/**
 * The path of a scraper or a run. The id may come from an address that another site has written.
 * @throws ApiError 404 for a text that is no id, because it could lead to another route
 */
function pathOf(kind: "scrapers" | "runs", id: string, rest = ""): string {
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

async function readRows(id: string, { offset, limit }: RowsRange, signal?: Signal): Promise<RowsPage> {
  const response = await request("GET", pathOf("runs", id, "/rows"), { query: { offset, limit }, signal });
  const text = await response.text();
  return { rows: JSON.parse(text) as Row[], size: text.length };
}

const tagged = async (response: Response): Promise<TaggedScraper> => ({
  scraper: (await response.json()) as Scraper,
  etag: response.headers.get("etag") ?? "",
});

/** With an idempotency key, a request that is sent twice creates only one thing. */
const idempotent = () => ({ "idempotency-key": crypto.randomUUID() });
