const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** The names in the first line of a CSV file that the service has written. */
export function csvHead(text: string): string[] {
  const names: string[] = [];
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const [, quoted, plain = "", end] = CELL.exec(text) ?? [];
    names.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ",") return names;
  }
}
