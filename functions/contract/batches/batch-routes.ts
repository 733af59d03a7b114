import * as v from "valibot";
import { Page, pageOf, type Route } from "../route.ts";
import { BATCH_ROWS_MAX, rowsQuery } from "../runs/rows-query.ts";
import { Row } from "../runs/run.ts";
import { Batch, BatchInput, BatchSettings, CreateBatchRequest, InputFilter } from "./batch.ts";

export const BatchList = pageOf(Batch);
export const BatchInputList = pageOf(BatchInput);
const RowList = v.array(Row);

/** The largest body with inputs, in bytes. Lambda takes no request of more than 6 MB, and gets it as base64. */
const UPLOAD_MAX_BYTES = 4_000_000;

/** A number of the settings of a batch, in a query. */
const number = <T extends v.GenericSchema<number, number>>(schema: T, description: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9}$/, "must be a whole number"),
      v.description(description),
      v.transform(Number),
      schema,
    ),
  );

const { concurrency, rows_limit } = BatchSettings.entries;

export const batchRoutes = {
  listBatches: {
    method: "GET",
    path: "/v1/batches",
    scope: "read",
    summary: "List batches, newest first",
    description: "Returns a page of at most 50 batches.",
    query: v.object({ page: Page }),
    status: 200,
    response: BatchList,
  },
  createBatch: {
    method: "POST",
    path: "/v1/batches",
    scope: "run",
    action: "batch.create",
    summary: "Run a scraper for many inputs",
    description:
      "Starts one run for each input in the background, a few at a time. An input has new values for steps, by their " +
      "ids: the `url` of a `visit`, the `value` of a `write_input` or `select_dropdown`. Other values come back with " +
      "the rows. Send JSON; or send a CSV file or JSON Lines as the body, and the other fields in the query. " +
      "The response to invalid inputs lists all problems, up to 100.",
    query: v.object({
      scraper_id: v.optional(
        v.pipe(
          v.string(),
          v.metadata({ format: "uuid", description: "Scraper to run, if the body is a file." }),
        ),
      ),
      rows_limit: number(rows_limit.wrapped, "Maximum number of rows of each run, if the body is a file."),
      concurrency: number(concurrency.wrapped, "Runs at a time, if the body is a file."),
      webhook_url: v.optional(
        v.pipe(
          v.string(),
          v.metadata({
            format: "uri",
            description: "Address that gets the finished batch, if the body is a file.",
          }),
        ),
      ),
    }),
    body: CreateBatchRequest,
    uploads: ["text/csv", "application/jsonl"],
    maxBodyBytes: UPLOAD_MAX_BYTES,
    requestHeaders: ["Idempotency-Key", "Gleaner-Client"],
    status: 201,
    response: Batch,
    responseHeaders: ["Location"],
    errors: [403, 404, 409],
  },
  getBatch: {
    method: "GET",
    path: "/v1/batches/{id}",
    scope: "read",
    summary: "Retrieve a batch",
    description: "Returns a batch with the numbers of its inputs by status.",
    status: 200,
    response: Batch,
  },
  listBatchInputs: {
    method: "GET",
    path: "/v1/batches/{id}/inputs",
    scope: "read",
    summary: "List the inputs of a batch, in their order",
    description: "Returns a page of at most 50 inputs, with their runs.",
    query: v.object({
      status: v.optional(
        v.pipe(
          InputFilter,
          v.description(
            "Only inputs with this status. `warned`: only successful inputs whose runs have warnings.",
          ),
        ),
      ),
      page: Page,
    }),
    status: 200,
    response: BatchInputList,
  },
  getBatchRows: {
    method: "GET",
    path: "/v1/batches/{id}/rows",
    scope: "read",
    summary: "Retrieve the rows of a batch as a file",
    description:
      "Returns the rows of all finished runs of a batch, in the order of the inputs, as JSON, JSON Lines, CSV or an " +
      "Excel workbook, as a stream. Each row begins with the values of its input, in columns named `input.NAME`. While " +
      "the batch is in progress, `Gleaner-Batch-Status` says so.",
    query: rowsQuery(BATCH_ROWS_MAX),
    status: 200,
    response: RowList,
    media: [
      "application/jsonl",
      "text/csv; charset=utf-8; header=present",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    responseHeaders: ["Gleaner-Batch-Status", "Gleaner-Row-Count"],
  },
  stopBatch: {
    method: "POST",
    path: "/v1/batches/{id}/stop",
    scope: "run",
    action: "batch.stop",
    summary: "Stop a batch",
    description:
      "Starts no more runs, and stops those in progress within 15 seconds. The inputs that are left fail with the code " +
      "`stopped`. 202 says that the batch is stopping; 200 that it had finished before.",
    status: 202,
    otherStatus: 200,
    response: Batch,
  },
  deleteBatch: {
    method: "DELETE",
    path: "/v1/batches/{id}",
    scope: "write",
    action: "batch.delete",
    summary: "Delete a batch",
    description:
      "Permanently deletes a finished batch with all its runs, in the background. Their credits stay counted. A batch in " +
      "progress gets 409: stop it first.",
    status: 204,
    errors: [409],
  },
} as const satisfies Record<string, Route>;
