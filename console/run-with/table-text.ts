/** A value as a cell of a table with tabs. */
const cellText = (value: string) => (/["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A table as text, as spreadsheets copy it: one line per row, with tabs between the cells. */
export const tableText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(cellText).join("\t")).join("\n");

/** A cell, which may be quoted, with what ends it. Quotation marks that do not enclose a whole cell are part of it. */
const cellPattern = (separator: string) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*))(${separator}|\\r?\\n|$)`, "y");

/**
 * The rows of a pasted table. The first of tab, semicolon and comma that its first line has separates the cells. Blank
 * lines are left out.
 */
export function readTable(text: string): string[][] {
  const [first = ""] = text.split("\n");
  const separator = ["\t", ";", ","].find((each) => first.includes(each)) ?? "\t";
  const pattern = cellPattern(separator);
  const rows: string[][] = [];
  for (let row: string[] = []; ; ) {
    const [, quoted, plain = "", end = ""] = pattern.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end === separator) continue;
    if (row.some((cell) => cell !== "")) rows.push(row);
    if (end === "") return rows;
    row = [];
  }
}
