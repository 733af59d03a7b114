import type { Row } from "../../contract/run.ts";
import type { ListPage } from "./list-page.ts";

/** No reader stops before: how many of the rows count is only known once they are compared. */
export const UNLIMITED = 1_000_000_000;

/**
 * Takes rows that are equal in all fields of `key` once, over all pages. A row that has none of these fields counts.
 * `counting` tells the pages how many rows are still wanted. Only the first page can be resumed at its address: later ones need the rows before them.
 */
export async function* uniqueRows(
  pages: AsyncGenerator<ListPage>,
  key: readonly string[],
  counting: { left: number },
): AsyncGenerator<ListPage> {
  const seen = new Set<string>();
  for await (const page of pages) {
    const fresh = page.rows.filter((row) => isNew(row, key, seen)).slice(0, counting.left);
    counting.left -= fresh.length;
    const url = page.number === 1 ? page.url : undefined;
    yield { ...page, rows: fresh, url, last: page.last || counting.left <= 0 };
    if (counting.left <= 0) return;
  }
}

function isNew(row: Row, key: readonly string[], seen: Set<string>): boolean {
  const values = key.map((name) => row[name] ?? null);
  if (values.every((value) => value === null)) return true;
  const identity = JSON.stringify(values);
  const isKnown = seen.has(identity);
  seen.add(identity);
  return !isKnown;
}
