import type * as v from "valibot";
import type { RowsQuery } from "../contract/runs/rows-query.ts";
import { ValidationError } from "../contract/validate.ts";
import { formats } from "../rows/formats.ts";
import type { RowsSource } from "../rows/rows-source.ts";
import { COLUMNS_MAX, ROWS_MAX } from "../rows/xlsx.ts";
import type { ApiResponse } from "./types.ts";

type Query = v.InferOutput<typeof RowsQuery>;

/**
 * A response with rows as a file, without the headers that are particular to the source.
 * @throws ValidationError if the query does not fit the source
 */
export async function rowsResponse(
  source: RowsSource,
  query: Query,
): Promise<Required<Pick<ApiResponse, "content" | "headers">>> {
  const columns = checkedColumns(source, query);
  const { format, offset, limit, download, bom } = query;
  const { contentType, write } = formats[format];
  const content = write(await begun(() => source.read({ offset, limit })), {
    columns,
    isWhole: query.fields === undefined,
    bom,
    escapesFormulas: query.escape === "formulas",
    isTyped: !query.text,
  });
  return {
    content,
    headers: {
      "content-type": contentType,
      "gleaner-row-count": String(source.row_count),
      ...(download && {
        "content-disposition": `attachment; filename="${source.what}-${source.id}.${format}"`,
      }),
    },
  };
}

/**
 * The columns of the file: those in the query, or else all fields of the source.
 * @throws ValidationError if the query does not fit the source
 */
function checkedColumns(
  { what, columns: known, row_count }: RowsSource,
  { fields, format, offset, limit }: Query,
): readonly string[] {
  const columns = fields ?? known;
  const problems = columns
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: "fields",
      message: `the ${what} has no field "${name}"; its fields are ${known.join(", ") || "none"}`,
    }));
  if (format === "xlsx" && columns.length > COLUMNS_MAX)
    problems.push({ path: "fields", message: `must be at most ${COLUMNS_MAX} for an xlsx file` });
  if (format === "xlsx" && Math.min(limit, row_count - offset) > ROWS_MAX)
    problems.push({
      path: "limit",
      message: `must be at most ${ROWS_MAX} for an xlsx file; the ${what} has ${row_count} rows. Use offset and limit, or another format`,
    });
  if (problems.length > 0) throw new ValidationError(problems);
  return columns;
}

/** Reads the first batch before the response begins, so that an error there still gets an error response. */
export async function begun<T>(read: () => AsyncGenerator<T>): Promise<() => AsyncIterable<T>> {
  const batches = read();
  const first = await batches.next();
  let isRead = false;
  return () => {
    if (isRead) return read();
    isRead = true;
    return (async function* () {
      if (first.done) return;
      yield first.value;
      yield* batches;
    })();
  };
}
