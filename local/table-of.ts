import Table from "cli-table3";
import { printable } from "./print.ts";

/** A table for people. */
export function tableOf(head: string[], rows: readonly (string | number)[][]): string {
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === "string" ? printable(cell) : cell))));
  return table.toString();
}
