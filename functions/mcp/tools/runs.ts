import * as v from "valibot";
import { type Run, StepOverrides } from "../../contract/run.ts";
import { ROWS_LIMIT_MAX } from "../../contract/scraper.ts";
import { counted, shortened } from "../answer.ts";
import { type CallApi, jsonOf } from "../api-client.ts";
import { defineTool, idOf, whole } from "../tool.ts";

export const startRun = defineTool({
  name: "start_run",
  title: "Start a run",
  description: "Starts a run of a scraper in the background. Each page that it loads costs credits.",
  // The steps can press buttons and submit forms.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: v.strictObject({
    scraper_id: idOf("scraper"),
    rows_limit: v.optional(
      whole(1, ROWS_LIMIT_MAX, "Maximum number of rows; by default that of the scraper."),
    ),
    steps: v.optional(
      v.pipe(
        StepOverrides,
        v.description(
          "Other values for steps of the scraper, for this run: the `id` of a step and its new `url` or `value`.",
        ),
      ),
    ),
  }),
  async run(call, body) {
    const { id } = await jsonOf<Run>(call("/v1/runs", { method: "POST", body }));
    return {
      summary: `Started the run ${id}. Call get_run every few seconds until it has finished.`,
    };
  },
});

export const getRun = defineTool({
  name: "get_run",
  title: "Get a run",
  description: "Returns the progress of a run, or how it ended: its status, row count, warnings and error.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.strictObject({ run_id: idOf("run") }),
  run: async (call, { run_id }) => answerFor(await read(call, run_id)),
});

export const stopRun = defineTool({
  name: "stop_run",
  title: "Stop a run",
  description:
    "Stops a run within 15 seconds. It ends as failed, with the code `stopped`, and keeps its rows. A run that has ended stays as it is.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: v.strictObject({ run_id: idOf("run") }),
  run: async (call, { run_id }) =>
    answerFor(await jsonOf<Run>(call(`/v1/runs/${run_id}/stop`, { method: "POST" }))),
});

const read = (call: CallApi, id: string) => jsonOf<Run>(call(`/v1/runs/${id}`, { query: { rows: false } }));

/** Maximum number of warnings in an answer. */
const WARNINGS = 20;

function answerFor(run: Run) {
  const { id, scraper_id, status, row_count, credits_used, created_at, finished_at, stopping, progress } =
    run;
  const { error, warnings, rows_limit, scraper_version } = run;
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

function summaryOf({ status, stopping, row_count, warnings, error, progress }: Run): string {
  if (status === "running") {
    const rows =
      progress === null ? "It waits for its turn." : `It has ${counted(progress.rows, "row")} so far.`;
    return `The run is ${stopping ? "stopping" : "running"}. ${rows} Call get_run again in a few seconds.`;
  }
  const doubts =
    warnings.length === 0 ? "" : ` Tell the user about its ${counted(warnings.length, "warning")}.`;
  if (status === "successful")
    return `The run succeeded with ${counted(row_count, "row")}. Read them with get_rows.${doubts}`;
  return `The run failed (${error?.code}) with ${counted(row_count, "row")}. get_rows returns the rows. The data has the reason.${doubts}`;
}
