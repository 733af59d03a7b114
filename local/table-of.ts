import Table from "cli-table3";
import { printable } from "./terminal/print.ts";

/** A table for people. */
export function tableOf(head: string[], rows: readonly (string | number)[][]): string {
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === "string" ? printable(cell) : cell))));
  // Lines between all rows would make it twice as long.
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
