import { ValidationError } from "../../contract/validate.ts";
import { columnsOf } from "../../rows/columns.ts";
import { formats } from "../../rows/formats.ts";
import { readRowBatches } from "../../rows/read-row-batches.ts";
import { COLUMNS_MAX } from "../../rows/xlsx.ts";
import type { StoredRun } from "../../runs/run.ts";
import { getRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler, ApiRequest } from "../types.ts";

export const getRunRows: ApiHandler<"getRunRows"> = async ({ account, id, query }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const columns = checkedColumns(run, query);
  const { format, offset, limit, download, bom } = query;
  const { contentType, write } = formats[format];
  const content = write(await begun(readRowBatches(table, run, { offset, limit })), {
    columns,
    isWhole: query.fields === undefined,
    bom,
    escapesFormulas: query.escape === "formulas",
  });
  return {
    content,
    headers: {
      "content-type": contentType,
      "gleaner-run-status": run.status,
      "gleaner-row-count": String(run.row_count),
      ...(download && { "content-disposition": `attachment; filename="run-${id}.${format}"` }),
    },
  };
};

/**
 * The columns of the file: those in the query, or else all fields of the run.
 * @throws ValidationError if the query does not fit the run
 */
function checkedColumns(run: StoredRun, query: ApiRequest<"getRunRows">["query"]): string[] {
  const known = columnsOf(run.steps);
  const columns = query.fields ?? known;
  const problems = columns
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: "fields",
      message: `the run has no field "${name}"; its fields are ${known.join(", ") || "none"}`,
    }));
  if (query.format === "xlsx" && columns.length > COLUMNS_MAX)
    problems.push({ path: "fields", message: `must be at most ${COLUMNS_MAX} for an xlsx file` });
  if (problems.length > 0) throw new ValidationError(problems);
  return columns;
}

/** Reads the first batch before the response begins, so that an error there still gets an error response. */
async function begun<T>(batches: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await batches.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* batches;
  })();
}
