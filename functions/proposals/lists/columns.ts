import { absolute, type TreeNode } from "../tree.ts";
import { type Kind, kindOfAll, mixedKinds } from "./kinds.ts";
import { classKey } from "./shapes.ts";

/** The values that the rows have at the same place. */
export interface Column {
  /** One element per row; undefined if the row has none. */
  nodes: (TreeNode | undefined)[];
  /** The attribute that has the value; absent if the value is the text. */
  attribute?: string;
  /** One value per row; undefined if the row has none. */
  values: (string | undefined)[];
  kind: Kind;
}

/** The share of rows that must have a value in a column. */
const SUPPORT_MIN = 0.5;
const FIELDS_MAX = 20;
/** Maximum number of values that are read from a row. */
const LEAVES_MAX = 200;
/** A value is at most this many levels below its row. */
const LEAF_DEPTH_MAX = 60;

/** Elements whose text is part of the sentence around them, so they make no column of their own. */
const PHRASES = new Set("b,i,em,strong,sup,sub,u,s,font,abbr,mark,bdi,br,wbr,q,cite,code".split(","));
const NO_PHRASES: ReadonlySet<string> = new Set();

/** One value of a row. */
interface Leaf {
  /** The path of the element below the row, and "text" or the attribute. Values with the same key make a column. */
  key: string;
  node: TreeNode;
  attribute?: string;
  value: string;
  /** The element and its ancestors in the row, except for cells of tables. */
  places: readonly Place[];
}

/** The position of an element among its siblings with the same tag and classes. */
interface Place {
  /** The path of these siblings. */
  path: string;
  /** From 1. */
  position: number;
}

/** A leaf, and the index of its row. */
type Cell = [row: number, leaf: Leaf];

/**
 * Finds the columns of rows: values that at least half of the rows have at the same place, and that are not equal in
 * all rows. At most 20 columns, in document order.
 * @param base the base URL for the addresses of links and images
 */
export function columnsOf(rows: readonly TreeNode[], base: string): Column[] {
  const columns: Column[] = [];
  const known = new Set<string>();
  for (const { column, values } of placesOf(rows, (row) => leavesOf(row, base, PHRASES))) {
    if (values.length < rows.length * SUPPORT_MIN) continue;
    // A value that all rows share says nothing about a row.
    if (new Set(values).size === 1 && values.length === rows.length) continue;
    const signature = column.values.join("\u0001");
    if (known.has(signature)) continue;
    known.add(signature);
    columns.push(column);
    if (columns.length === FIELDS_MAX) break;
  }
  return columns;
}

/**
 * Finds what else could be a column: values that few rows have, that all rows share, or that are a part of another value.
 * At most 20, those that most rows have first.
 * @param columns the columns of the rows, which are left out
 */
export function otherColumnsOf(
  rows: readonly TreeNode[],
  base: string,
  columns: readonly Column[],
): Column[] {
  const isKnown = ({ nodes, attribute }: Column) =>
    columns.some(
      (other) => other.attribute === attribute && nodes.every((node, row) => other.nodes[row] === node),
    );
  return placesOf(rows, (row) => leavesOf(row, base, NO_PHRASES))
    .filter(({ column }) => !isKnown(column))
    .sort((a, b) => b.values.length - a.values.length)
    .slice(0, FIELDS_MAX)
    .map(({ column }) => column);
}

/** The values that rows have at the same places, in document order. `values` are without rows that have none. */
function placesOf(
  rows: readonly TreeNode[],
  read: (row: TreeNode) => ReturnType<typeof leavesOf>,
): { column: Column; values: string[] }[] {
  const byKey = new Map<string, Cell[]>();
  const found = rows.map(read);
  const varies = varyingPaths(found.map(({ counts }) => counts));
  for (const [index, { leaves }] of found.entries()) {
    for (const leaf of leaves) {
      const cells = byKey.get(leaf.key);
      if (!cells) byKey.set(leaf.key, [[index, leaf]]);
      else if (cells.at(-1)?.[0] !== index) cells.push([index, leaf]);
    }
  }
  return [...byKey.values()].flatMap((cells) => {
    const column = columnFrom(cells, rows.length);
    const values = cells.map(([, { value }]) => value);
    const moved = cells[0]?.[1].places.filter(({ path }) => varies(path)) ?? [];
    // If rows have a different number of such elements, the one at a position may be another value in each row.
    if (moved.some(({ position }) => position > 1) || (moved.length > 0 && mixedKinds(values))) return [];
    return [{ column, values }];
  });
}

function columnFrom(cells: readonly Cell[], length: number): Column {
  const attribute = cells[0]?.[1].attribute;
  const column: Column = {
    nodes: Array(length),
    values: Array(length),
    kind: "text",
    ...(attribute && { attribute }),
  };
  for (const [row, { node, value }] of cells) {
    column.nodes[row] = node;
    column.values[row] = value;
  }
  const values = cells.map(([, { value }]) => value);
  return { ...column, kind: kindOfColumn(column, values) };
}

function kindOfColumn({ attribute, nodes }: Column, values: readonly string[]): Kind {
  if (attribute === undefined) return kindOfAll(values);
  // The address of an image that is loaded late is in an attribute such as data-src.
  if (nodes.some((node) => node?.tag === "img")) return "image";
  return attribute === "href" ? "url" : kindOfAll(values);
}

/**
 * Tells which elements rows have in different numbers, such as keywords. Facts such as a phone number and an address are
 * as many in all rows, so each of them makes a column.
 * @param counts for each row, the number of siblings with the same tag and classes, by their path
 */
function varyingPaths(counts: readonly ReadonlyMap<string, number>[]): (path: string) => boolean {
  const known = new Map<string, number>();
  const varying = new Set<string>();
  for (const row of counts)
    for (const [path, count] of row)
      if ((known.get(path) ?? count) !== count) varying.add(path);
      else known.set(path, count);
  return (path) => varying.has(path);
}

/**
 * The values that can be read from a row, in document order, and the number of siblings that look alike, by path.
 * @param phrases tags of elements that are no values of their own where they are part of a text
 */
function leavesOf(
  row: TreeNode,
  base: string,
  phrases: ReadonlySet<string>,
): { leaves: Leaf[]; counts: Map<string, number> } {
  const leaves: Leaf[] = [];
  const counts = new Map<string, number>();
  const visit = (node: TreeNode, path: string, places: readonly Place[]) => {
    if (!node.isShown || leaves.length >= LEAVES_MAX || places.length > LEAF_DEPTH_MAX) return;
    const isText = node.ownText !== "" && /[\p{L}\p{N}★☆]/u.test(node.text);
    if (isText) leaves.push({ key: `${path} text`, node, value: node.text, places });
    for (const [attribute, value] of valuesOf(node, base))
      leaves.push({ key: `${path} ${attribute}`, node, attribute, value, places });
    for (const child of node.children) {
      if (isText && phrases.has(child.tag)) continue;
      const isCell = child.tag === "td" || child.tag === "th";
      const step = `${path}/${isCell ? child.tag : `${child.tag}.${classKey(child)}`}`;
      const position = (counts.get(step) ?? 0) + 1;
      counts.set(step, position);
      visit(child, `${step}#${position}`, isCell ? places : [...places, { path: step, position }]);
    }
  };
  visit(row, "", []);
  return { leaves, counts };
}

/** The attributes of an element that are values, as pairs of name and value. As in runs, links and `src` are absolute. */
function* valuesOf(node: TreeNode, base: string): Generator<[string, string]> {
  const address = (name: string) => absolute(node.attribute(name), base)?.href;
  if (node.tag === "a") {
    const href = address("href");
    if (href && /^https?:/.test(href) && !/^#/.test(node.attribute("href") ?? "")) yield ["href", href];
    if (href?.startsWith("mailto:")) yield ["href", href];
  }
  if (node.tag === "img") {
    const name = ["src", "data-src", "data-original", "data-lazy-src"].find((each) =>
      /^(?!data:)./.test(node.attribute(each) ?? ""),
    );
    const src = name && address(name);
    // Runs leave attributes such as data-src as they are.
    if (name && src) yield [name, name === "src" ? src : (node.attribute(name) as string)];
  }
  if (node.tag === "time" && node.attribute("datetime"))
    yield ["datetime", node.attribute("datetime") as string];
  if (node.tag === "meta" && node.attribute("content"))
    yield ["content", node.attribute("content") as string];
}
