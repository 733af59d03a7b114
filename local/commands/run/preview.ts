import type { Row } from "../../../functions/contract/runs/run.ts";
import { type Api, pathOf } from "../../client/api.ts";
import { previewTable } from "../../terminal/preview-table.ts";
import { print } from "../../terminal/print.ts";
import { counted } from "./progress.ts";

const ROWS = 5;

/** Prints the first rows of a run as a table that fits the terminal. */
export async function preview(api: Api, id: string, rowCount: number, width: number): Promise<void> {
  const rows = await api.get<Row[]>(pathOf("runs", id, "/rows"), { format: "json", limit: ROWS });
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { table, omitted } = previewTable(names, rows, width);
  print(table);
  const left = [
    ...(rowCount > rows.length ? [counted(rowCount - rows.length, "row")] : []),
    ...(omitted.length > 0 ? [counted(omitted.length, "column")] : []),
  ];
  if (left.length > 0) print(`… and ${left.join(" and ")} more`);
}
