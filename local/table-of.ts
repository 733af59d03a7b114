import Table from "cli-table3";
import { printable } from "./terminal/print.ts";

/** A text table with borders, for the terminal. Control characters in the cells are escaped. */
export function tableOf(head: string[], rows: readonly (string | number)[][]): string {
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === "string" ? printable(cell) : cell))));
  // Only the line below the header is kept. Lines between all rows would double the length of the table.
  let isHead = true;
  return table
    .toString()
    .split("\n")
    .filter((line) => {
      const isLine = line.startsWith("├");
      const isKept = !isLine || isHead;
      if (isLine) isHead = false;
      return isKept;
    })
    .join("\n");
}
