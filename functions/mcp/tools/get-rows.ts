import * as v from "valibot";
import { limitedList } from "../../contract/limited-list.ts";
import { BATCH_ROWS_MAX } from "../../contract/runs/rows-query.ts";
import { ANSWER_MAX, counted, linesWithin, roomFor, shortened } from "../answer.ts";
import { ToolError } from "../api-client.ts";
import { defineTool, whole } from "../tool.ts";
import { namesOne, pathOf, runOrBatch } from "./run-or-batch.ts";

const LIMIT = 100;
const LIMIT_MAX = 1_000;

export const getRows = defineTool({
  name: "get_rows",
  scope: "read",
  title: "Get rows",
  description:
    "Returns rows of a run or a batch as lines of JSON, while it is in progress those so far. An answer has as many rows as fit into " +
    "25,000 characters; it names the offset of the next ones.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.pipe(
    v.strictObject({
      ...runOrBatch,
      offset: v.optional(whole(0, BATCH_ROWS_MAX, "Index of the first row."), 0),
      limit: v.optional(whole(1, LIMIT_MAX, "Maximum number of rows."), LIMIT),
      fields: v.optional(
        v.pipe(
          limitedList(v.array(v.string()), 100, "must name at most 100 fields"),
          v.minLength(1, "must name at least one field"),
          v.description("Only these fields, in this order."),
        ),
      ),
    }),
    namesOne(),
  ),
  async run(call, { offset, limit, fields, ...which }) {
    const response = await call(`${pathOf(which)}/rows`, {
      query: { format: "jsonl", offset, limit, fields: fields?.map(quoted).join(",") },
    });
    const count = Number(response.headers.get("gleaner-row-count"));
    const what = which.batch_id === undefined ? "run" : "batch";
    const isRunning = response.headers.get(`gleaner-${what}-status`) === "running";
    const { rows, isCut } = await rowsWithin(
      response,
      roomFor(summaryOf({ what, offset, count, rows: limit, isRunning, isCut: true })),
    );
    return {
      summary: summaryOf({ what, offset, count, rows: rows.length, isRunning, isCut }),
      ...(rows.length > 0 && { data: rows.join("\n") }),
    };
  },
});

/** A field name in quotation marks, for the query parameter `fields`. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

interface Shown {
  what: "run" | "batch";
  offset: number;
  /** The number of rows that there are. */
  count: number;
  /** The number of rows in the answer. */
  rows: number;
  isRunning: boolean;
  /** Whether values are cut. */
  isCut: boolean;
}

function summaryOf({ what, offset, count, rows, isRunning, isCut }: Shown): string {
  const state = isRunning ? `, and the ${what} is still in progress` : "";
  const next = offset + rows;
  if (rows === 0)
    return `There are no rows from offset ${offset} on. The ${what} has ${counted(count, "row")}${state}.`;
  return [
    `Rows ${offset} to ${next - 1} of ${count}${state}.`,
    next < count ? `Call get_rows with offset ${next} for the next ones.` : "",
    isCut
      ? "Long values are cut: name fewer `fields` to see more of them, or tell the user how to export all rows."
      : "",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** The first rows that fit. If the first row alone is too long, only that row, with shorter values. */
async function rowsWithin(response: Response, room: number): Promise<{ rows: string[]; isCut: boolean }> {
  const lines = await firstLines(response, ANSWER_MAX);
  const rows = linesWithin(lines, room);
  const [first] = lines;
  if (rows.length > 0 || first === undefined) return { rows, isCut: false };
  const row: Record<string, string> = JSON.parse(first);
  const cut = (length: number) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shortened(value, length)])),
    );
  const fitting = [5_000, 1_000, 200, 40].map(cut).find((text) => text.length < room);
  return { rows: [fitting ?? JSON.stringify({ omitted: "The row has too many fields." })], isCut: true };
}

/** Reads lines until they have more than `most` characters. The rest of the stream is not read. */
export async function firstLines({ body }: Response, most: number): Promise<string[]> {
  const lines: string[] = [];
  let characters = 0;
  let open = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body ?? []) {
      const parts = (open + decoder.decode(chunk, { stream: true })).split("\n");
      open = parts.pop() ?? "";
      lines.push(...parts);
      characters += parts.reduce((sum, part) => sum + part.length, 0);
      if (characters > most) return lines;
    }
  } catch (cause) {
    throw new ToolError("The rows did not arrive as a whole. Call the tool again.", { cause });
  }
  return lines;
}
