import * as v from "valibot";
import { type Batch, type BatchInput, Inputs } from "../../contract/batches/batch.ts";
import { ROWS_LIMIT_MAX } from "../../contract/runs/rows-limit.ts";
import { type Run, StepOverrides } from "../../contract/runs/run.ts";
import { counted, shortened } from "../answer.ts";
import { type CallApi, jsonOf } from "../api-client.ts";
import { defineTool, idOf, whole } from "../tool.ts";
import { namesOne, pathOf, runOrBatch } from "./run-or-batch.ts";

export const startRun = defineTool({
  name: "start_run",
  scope: "run",
  title: "Start a run",
  description:
    "Starts a run of a scraper in the background, or with `inputs` a batch: one run for each input, with one table of rows. Each page that a run loads costs credits.",
  // The steps can press buttons and submit forms.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: v.strictObject({
    scraper_id: idOf("scraper"),
    rows_limit: v.optional(
      whole(1, ROWS_LIMIT_MAX, "Maximum number of rows; by default that of the scraper."),
    ),
    only_new: v.optional(
      v.pipe(
        v.boolean(),
        v.description("Whether to leave out rows that an earlier good run had. The list needs a key."),
      ),
    ),
    steps: v.optional(
      v.pipe(
        StepOverrides,
        v.description(
          "Other values for steps of the scraper, for this run: the `id` of a step and its new `url` or `value`.",
        ),
      ),
    ),
    inputs: v.optional(
      v.pipe(
        Inputs,
        v.minLength(1, "must have at least one input"),
        v.description(
          "For a batch: for each run, the new `url` or `value` of steps, by their `id`. Other values come back with the rows, as `input.NAME`.",
        ),
      ),
    ),
  }),
  async run(call, { inputs, ...body }) {
    if (inputs !== undefined) {
      const batch = await jsonOf<Batch>(call("/v1/batches", { method: "POST", body: { ...body, inputs } }));
      const runs = counted(batch.total, "input");
      return {
        summary: `Started the batch ${batch.id} with ${runs}. Call get_run with its batch_id every few seconds until it has finished.`,
      };
    }
    const { id } = await jsonOf<Run>(call("/v1/runs", { method: "POST", body }));
    return {
      summary: `Started the run ${id}. Call get_run every few seconds until it has finished.`,
    };
  },
});

export const getRun = defineTool({
  name: "get_run",
  scope: "read",
  title: "Get a run or a batch",
  description:
    "Returns the progress of a run or a batch, or how it ended: its status, row count, warnings and errors.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.pipe(v.strictObject(runOrBatch), namesOne()),
  run: async (call, which) =>
    which.batch_id === undefined
      ? answerFor(await jsonOf<Run>(call(pathOf(which), { query: { rows: false } })))
      : answerForBatch(call, await jsonOf<Batch>(call(pathOf(which)))),
});

export const stopRun = defineTool({
  name: "stop_run",
  scope: "run",
  title: "Stop a run or a batch",
  description:
    "Stops a run, or a batch with all its runs, within 15 seconds. A run ends as failed, with the code `stopped`, and keeps its rows. What has ended stays as it is.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: v.pipe(v.strictObject(runOrBatch), namesOne()),
  run: async (call, which) => {
    const stopped = call(`${pathOf(which)}/stop`, { method: "POST" });
    return which.batch_id === undefined
      ? answerFor(await jsonOf<Run>(stopped))
      : answerForBatch(call, await jsonOf<Batch>(stopped));
  },
});

/** Maximum number of warnings in an answer. */
const WARNINGS = 20;

function answerFor(run: Run) {
  const { id, scraper_id, status, row_count, credits_used, created_at, finished_at, stopping, progress } =
    run;
  const { error, warnings, rows_limit, scraper_version, changes, files } = run;
  return {
    summary: summaryOf(run),
    data: JSON.stringify({
      id,
      scraper_id,
      scraper_version,
      status,
      stopping,
      row_count,
      rows_limit,
      credits_used,
      created_at,
      finished_at,
      progress,
      changes,
      files,
      error: error && { ...error, message: shortened(error.message, 1_000) },
      warnings: warnings.slice(0, WARNINGS).map(({ message, field, ...rest }) => ({
        ...rest,
        ...(field !== undefined && { field: shortened(field, 200) }),
        message: shortened(message, 500),
      })),
      ...(warnings.length > WARNINGS && {
        omitted: `${warnings.length - WARNINGS} of ${warnings.length} warnings`,
      }),
    }),
  };
}

function summaryOf({ id, status, stopping, row_count, warnings, error, progress, files }: Run): string {
  if (status === "running") {
    const rows =
      progress === null ? "It waits for its turn." : `It has ${counted(progress.rows, "row")} so far.`;
    return `The run is ${stopping ? "stopping" : "running"}. ${rows} Call get_run again in a few seconds.`;
  }
  const doubts =
    warnings.length === 0 ? "" : ` Tell the user about its ${counted(warnings.length, "warning")}.`;
  const saved = files
    ? ` It has ${counted(files.count, "file")}: the user saves them with \`gleaner run files ${id} -o FOLDER\`.`
    : "";
  if (status === "successful")
    return `The run succeeded with ${counted(row_count, "row")}. Read them with get_rows.${saved}${doubts}`;
  const suggestion = error?.suggestion
    ? " The error has a suggestion of other selectors: show it to the user before you change the scraper."
    : "";
  return `The run failed (${error?.code}) with ${counted(row_count, "row")}. get_rows returns the rows. The data has the reason.${suggestion}${doubts}`;
}

/** How many failed inputs an answer names, and how many with warnings. */
const INPUTS_SHOWN = 10;

/** The answer for a batch: its numbers, why the first of its failed inputs failed, and the warnings of the first ones that have some. */
async function answerForBatch(call: CallApi, batch: Batch) {
  const failed = batch.failed === 0 ? [] : await inputsWith(call, batch.id, "failed");
  const warned = batch.warned === 0 ? [] : await inputsWith(call, batch.id, "warned");
  return {
    summary: batchSummaryOf(batch),
    data: JSON.stringify({
      ...batch,
      webhook_url: undefined,
      failed_inputs: failed,
      warned_inputs: warned,
    }),
  };
}

async function inputsWith(call: CallApi, id: string, status: "failed" | "warned") {
  const query = { status };
  const { data } = await jsonOf<{ data: BatchInput[] }>(call(`/v1/batches/${id}/inputs`, { query }));
  return data.slice(0, INPUTS_SHOWN).map(({ index, values, run_id, error, warnings }) => ({
    index,
    values: shortened(JSON.stringify(values), 300),
    run_id,
    error: error && { ...error, message: shortened(error.message, 300) },
    warnings: warnings.slice(0, 1).map(({ message }) => shortened(message, 300)),
  }));
}

function batchSummaryOf(batch: Batch): string {
  const { status, stopping, total, waiting, running, warned, failed, row_count } = batch;
  const done = `${total - waiting - running} of ${counted(total, "input")}`;
  if (status === "running")
    return `The batch is ${stopping ? "stopping" : "running"}: ${done} done, ${counted(row_count, "row")} so far. Call get_run again in a few seconds.`;
  const failures =
    failed === 0 ? "" : ` ${failed} of them failed; the data has the reasons of the first ones.`;
  const doubts = warned === 0 ? "" : ` ${warned} of the successful ones have warnings: tell the user.`;
  return `The batch finished: ${done}, with ${counted(row_count, "row")}. Read them with get_rows.${failures}${doubts}`;
}
