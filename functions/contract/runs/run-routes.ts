import * as v from "valibot";
import { Page, pageOf, type Route } from "../route.ts";
import { RowChange } from "./changes.ts";
import { RunFile } from "./file.ts";
import { ChangesQuery, FilesQuery, RowsQuery } from "./rows-query.ts";
import { CreateRunRequest, Row, Run } from "./run.ts";
import { RunLog } from "./run-log.ts";
import { RunStatus } from "./run-status.ts";
import { RunWebhook } from "./run-webhook.ts";

/** The query parameter `rows`: whether the response contains `result_rows`. */
const Rows = v.optional(
  v.pipe(
    v.picklist(["true", "false"]),
    v.description("With `false`, `result_rows` is null and no rows are read."),
    v.transform((text) => text === "true"),
  ),
  "true",
);

export const RunList = pageOf(Run);
export const RowList = v.array(Row);
export const ChangeList = v.array(RowChange);
export const FileList = v.array(RunFile);

export const runRoutes = {
  listRuns: {
    method: "GET",
    path: "/v1/runs",
    scope: "read",
    summary: "List runs, newest first",
    description: "Returns a page of at most 50 runs with their rows; with `rows=false`, without them.",
    query: v.object({
      rows: Rows,
      status: v.optional(v.pipe(RunStatus, v.description("Only runs with this status."))),
      scraper_id: v.optional(
        v.pipe(v.string(), v.metadata({ format: "uuid", description: "Only runs of this scraper." })),
      ),
      batch_id: v.optional(
        v.pipe(
          v.string(),
          v.metadata({
            format: "uuid",
            description: "Only runs of this batch. Without this parameter, the runs of batches are left out.",
          }),
        ),
      ),
      page: Page,
    }),
    status: 200,
    response: RunList,
  },
  createRun: {
    method: "POST",
    path: "/v1/runs",
    scope: "run",
    action: "run.create",
    summary: "Create a run of a scraper",
    description:
      "Starts a run in the background. `steps`, `rows_limit` and `webhook_url` override the values of the scraper. " +
      "To get the rows, poll the URL in `Location`, or pass a `webhook_url`.",
    body: CreateRunRequest,
    form: true,
    requestHeaders: ["Idempotency-Key", "Gleaner-Client"],
    status: 201,
    response: Run,
    responseHeaders: ["Location"],
    errors: [403, 404, 409],
  },
  getRun: {
    method: "GET",
    path: "/v1/runs/{id}",
    scope: "read",
    summary: "Retrieve a run",
    description: "Returns a run. `result_rows` is null while the run is in progress, and with `rows=false`.",
    query: v.object({ rows: Rows }),
    status: 200,
    response: Run,
  },
  getRunRows: {
    method: "GET",
    path: "/v1/runs/{id}/rows",
    scope: "read",
    summary: "Retrieve the rows of a run as a file",
    description:
      "Returns rows as JSON, JSON Lines, CSV or an Excel workbook, as a stream. While the run is in progress, these are " +
      "the rows stored so far, and `Gleaner-Run-Status` says so.",
    query: RowsQuery,
    status: 200,
    response: RowList,
    media: [
      "application/jsonl",
      "text/csv; charset=utf-8; header=present",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    responseHeaders: ["Gleaner-Run-Status", "Gleaner-Row-Count"],
  },
  getRunChanges: {
    method: "GET",
    path: "/v1/runs/{id}/changes",
    scope: "read",
    summary: "Retrieve the changes of a run as a file",
    description:
      "Returns the rows that are new, changed or removed since the baseline of the run's scraper, as a stream. Changed " +
      "rows have their old values. In CSV and Excel files, these are columns whose names begin with `old.`. A run that " +
      "is in progress, or was not compared, gets 409.",
    query: ChangesQuery,
    status: 200,
    response: ChangeList,
    media: [
      "application/jsonl",
      "text/csv; charset=utf-8; header=present",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    errors: [409],
  },
  getRunFiles: {
    method: "GET",
    path: "/v1/runs/{id}/files",
    scope: "read",
    summary: "Retrieve the files of a run",
    description:
      "Returns the list of the files that a run has downloaded, as a stream: with `number` the content of one of them, and " +
      "with `format=zip` all of them as a ZIP archive. On AWS, an archive has at most 150 MB; a larger one gets 400 with " +
      "the `offset` and `limit` of its parts. While the run is in progress, these are the files stored so far.",
    query: FilesQuery,
    status: 200,
    response: FileList,
    media: [
      "application/jsonl",
      "text/csv; charset=utf-8; header=present",
      "application/zip",
      "application/octet-stream",
    ],
    responseHeaders: ["Gleaner-Run-Status"],
  },
  readRunLog: {
    method: "GET",
    path: "/v1/runs/{id}/log",
    scope: "read",
    summary: "Retrieve the log of a run",
    description:
      "Returns what happened during a run: at most 500 events, the first 100 and the last 400. While the run is in " +
      "progress, new events are stored every 15 seconds, and every 3 seconds while clients read the log. Poll with `after` set to the last `next` until `finished`.",
    query: v.object({
      after: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\d{1,9}$/, "must be the `next` of an earlier response"),
          v.description("Only events from this number on: the `next` of the last response."),
          v.transform(Number),
        ),
        "0",
      ),
    }),
    status: 200,
    response: RunLog,
  },
  getRunScreenshot: {
    method: "GET",
    path: "/v1/runs/{id}/screenshot",
    scope: "read",
    summary: "Retrieve the screenshot of a failed run",
    description:
      "Returns what the page looked like when the run failed. A run without a screenshot gets 404.",
    status: 200,
    media: ["image/jpeg"],
  },
  getRunWebhook: {
    method: "GET",
    path: "/v1/runs/{id}/webhook",
    scope: "read",
    summary: "Retrieve the delivery of a run's webhook and rows",
    description:
      "Returns whether the webhook was delivered, and the attempts to deliver it; the same for the rows and each " +
      "destination of the scraper. The id may also be that of a batch.",
    status: 200,
    response: RunWebhook,
  },
  resendRunWebhook: {
    method: "POST",
    path: "/v1/runs/{id}/webhook/resend",
    scope: "run",
    action: "run.resend_webhook",
    summary: "Send the webhook or the rows of a run again",
    description:
      "Starts the delivery of a finished run's webhook again; with `what=deliveries`, the delivery of its rows to the " +
      "destinations that its scraper has now, also if they were skipped because of warnings. A run in progress, without " +
      "a webhook, or without rows to send, gets 409. The id may also be that of a batch.",
    query: v.object({
      what: v.optional(
        v.pipe(
          v.picklist(["webhook", "deliveries"]),
          v.description("What to send: the webhook, or the rows."),
        ),
        "webhook",
      ),
    }),
    status: 202,
    response: RunWebhook,
    errors: [409],
  },
  stopRun: {
    method: "POST",
    path: "/v1/runs/{id}/stop",
    scope: "run",
    action: "run.stop",
    summary: "Stop a run",
    description:
      "Ends a run within 15 seconds. It ends as `failed` with the code `stopped`, keeps its rows and sends its webhook. " +
      "202 says that the run is stopping or was just stopped; 200 that it had finished before.",
    status: 202,
    otherStatus: 200,
    response: Run,
  },
  deleteRun: {
    method: "DELETE",
    path: "/v1/runs/{id}",
    scope: "write",
    action: "run.delete",
    summary: "Delete a run",
    description:
      "Permanently deletes a finished run with its rows, its log, its files and its screenshot. Its credits stay counted. A run in " +
      "progress gets 409: stop it first.",
    status: 204,
    errors: [409],
  },
} as const satisfies Record<string, Route>;
