import type { Row } from "../../functions/contract/runs/run.ts";
import { tableOf } from "../table-of.ts";

const CELL = 28;
/** The width of the border and the padding of a cell: one border and two spaces. */
const AROUND_CELL = 3;

/** A table of rows that is at most `width` characters wide, if possible. `omitted` has the fields that don't fit. */
export function previewTable(
  names: readonly string[],
  rows: readonly Row[],
  width: number,
): { table: string; omitted: string[] } {
  const columns = names.map((name) => {
    const cells = rows.map((row) => shortened(row[name] ?? ""));
    const head = shortened(name);
    return { head, cells, width: Math.max(...[head, ...cells].map((cell) => cell.length)) + AROUND_CELL };
  });
  let used = 1;
  const fitting = columns.filter((column, index) => {
    used += column.width;
    return index === 0 || used <= width;
  });
  const lines = rows.map((_, row) => fitting.map(({ cells }) => cells[row] ?? ""));
  const table = tableOf(
    fitting.map(({ head }) => head),
    lines,
  );
  return { table, omitted: names.filter((_, index) => !fitting.includes(columns[index] as never)) };
}

/** A text on one line, shortened to at most `most` characters. */
export function shortened(text: string, most = CELL): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
