import type { Row } from "../../../functions/contract/run.ts";
import { type Api, pathOf } from "../../client/api.ts";
import { print } from "../../print.ts";
import { tableOf } from "../../table-of.ts";
import { counted } from "./progress.ts";

const ROWS = 5;
const CELL = 28;
/** A border and two spaces. */
const AROUND_CELL = 3;

/** Prints the first rows of a run as a table that fits the terminal. */
export async function preview(api: Api, id: string, rowCount: number, width: number): Promise<void> {
  const rows = await api.get<Row[]>(pathOf("runs", id, "/rows"), { format: "json", limit: ROWS });
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
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
  print(
    tableOf(
      fitting.map(({ head }) => head),
      lines,
    ),
  );
  const left = [
    ...(rowCount > rows.length ? [counted(rowCount - rows.length, "row")] : []),
    ...(names.length > fitting.length ? [counted(names.length - fitting.length, "column")] : []),
  ];
  if (left.length > 0) print(`… and ${left.join(" and ")} more`);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > CELL ? `${line.slice(0, CELL - 1)}…` : line;
}
