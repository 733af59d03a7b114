import { rowWith, type TreeNode } from "../tree.ts";
import type { Column } from "./columns.ts";
import { kindOfAll } from "./kinds.ts";
import { classKey } from "./shapes.ts";

/** The rows of a list and its columns. */
interface RowsWithColumns {
  rows: readonly TreeNode[];
  columns: readonly Column[];
}

/** The share of the outer rows' text that the rows of another list have in a container. */
const COVERED = 0.85;

/** Whether rows only contain the rows of another list, as the lines of a grid of cards contain the cards. */
export function isContainer({ rows }: RowsWithColumns, list: RowsWithColumns): boolean {
  const { rows: inner, columns } = list;
  if (inner.length < rows.length * 2 || columns.length < 2) return false;
  const held = Map.groupBy(inner, (node) => {
    const row = rowWith(rows, node);
    return row === node ? undefined : row;
  });
  held.delete(undefined);
  if (rows.some((row, index) => (held.get(row)?.length ?? 0) < (index === rows.length - 1 ? 1 : 2)))
    return false;
  if (areCells([...held.values()], list)) return false;
  const lengthOfAll = (nodes: readonly TreeNode[]) => nodes.reduce((sum, node) => sum + node.textLength, 0);
  return lengthOfAll([...held.values()].flat()) >= COVERED * lengthOfAll(rows);
}

/**
 * Whether the parts of rows are the cells of a table: all rows have as many, and two of them differ in each row in the
 * same way, for example a name and a price. Cards in a grid are all alike.
 */
function areCells(parts: readonly (readonly TreeNode[])[], { rows, columns }: RowsWithColumns): boolean {
  const [first = []] = parts;
  if (parts.some(({ length }) => length !== first.length)) return false;
  const order = new Map(rows.map((row, index) => [row, index]));
  const kinds = first
    .map((_, at) => new Set(parts.map((cells) => contentOf(cells[at] as TreeNode, order, columns))))
    .filter(({ size }) => size <= parts.length / 2);
  return kinds.some((one, at) =>
    kinds.slice(at + 1).some((other) => [...one].every((content) => !other.has(content))),
  );
}

/** What kind of values an element has. */
function contentOf(node: TreeNode, order: ReadonlyMap<TreeNode, number>, columns: readonly Column[]): string {
  const row = order.get(node) ?? -1;
  const values = columns.map(({ values, attribute }) => {
    const value = values[row];
    if (value === undefined) return "";
    return attribute === "href" ? value.replace(/[^/]*$/, "") : kindOfAll([value]);
  });
  return [classKey(node), ...values].join(" ");
}
