import { type Kind, kindOfAll } from "./kinds.ts";
import { classKey } from "./shapes.ts";
import { absolute, type TreeNode } from "./tree.ts";

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

/** One value of a row. */
interface Leaf {
  /** The path of the element below the row, and "text" or the attribute. Values with the same key make a column. */
  key: string;
  node: TreeNode;
  attribute?: string;
  value: string;
  /** The path of the nested list that has the value in an item after the first one. */
  list: string | undefined;
}

/** A leaf, and the index of its row. */
type Cell = [row: number, leaf: Leaf];

/**
 * Finds the columns of rows: values that at least half of the rows have at the same place, and that are not equal in
 * all rows. At most 20 columns, in document order.
 * @param base the base URL for the addresses of links and images
 */
export function columnsOf(rows: readonly TreeNode[], base: string): Column[] {
  const byKey = new Map<string, Cell[]>();
  const found = rows.map((row) => leavesOf(row, base));
  const isFixed = listsOfFacts(found.map(({ lists }) => lists));
  for (const [index, { leaves }] of found.entries()) {
    for (const leaf of leaves) {
      if (leaf.list !== undefined && !isFixed(leaf.list)) continue;
      const cells = byKey.get(leaf.key);
      if (!cells) byKey.set(leaf.key, [[index, leaf]]);
      else if (cells.at(-1)?.[0] !== index) cells.push([index, leaf]);
    }
  }
  const columns: Column[] = [];
  const known = new Set<string>();
  for (const cells of byKey.values()) {
    if (cells.length < rows.length * SUPPORT_MIN) continue;
    const column = columnFrom(cells, rows.length);
    const values = cells.map(([, { value }]) => value);
    // A value that all rows share says nothing about a row.
    if (new Set(values).size === 1 && values.length === rows.length) continue;
    const signature = `${column.values.join("\u0001")}`;
    if (known.has(signature)) continue;
    known.add(signature);
    column.kind = kindOfColumn(column, values);
    columns.push(column);
    if (columns.length === FIELDS_MAX) break;
  }
  return columns;
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
  return column;
}

function kindOfColumn({ attribute, nodes }: Column, values: readonly string[]): Kind {
  if (attribute === undefined) return kindOfAll(values);
  // The address of an image that is loaded late is in an attribute such as data-src.
  if (nodes.some((node) => node?.tag === "img")) return "image";
  return attribute === "href" ? "url" : kindOfAll(values);
}

/**
 * Tells which nested lists have the same number of items in all rows. These are facts such as a phone number and an
 * address, each of which makes a column. Of other lists, such as keywords, only the first item does.
 * @param lists for each row, the number of items by the path of the list
 */
function listsOfFacts(lists: readonly ReadonlyMap<string, number>[]): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const isSame =
      known.get(path) ?? (lists.length > 2 && new Set(lists.map((counts) => counts.get(path))).size === 1);
    known.set(path, isSame);
    return isSame;
  };
}

/** The values that can be read from a row, in document order, and how many items its nested lists have, by path. */
function leavesOf(row: TreeNode, base: string): { leaves: Leaf[]; lists: Map<string, number> } {
  const leaves: Leaf[] = [];
  const lists = new Map<string, number>();
  const visit = (node: TreeNode, path: string, depth: number, list?: string) => {
    if (!node.isShown || leaves.length >= LEAVES_MAX || depth > LEAF_DEPTH_MAX) return;
    const isText = node.ownText !== "" && /[\p{L}\p{N}★☆]/u.test(node.text);
    if (isText) leaves.push({ key: `${path} text`, node, value: node.text, list });
    for (const [attribute, value] of valuesOf(node, base))
      leaves.push({ key: `${path} ${attribute}`, node, attribute, value, list });
    const counts = new Map<string, number>();
    for (const child of node.children) {
      if (isText && PHRASES.has(child.tag)) continue;
      const step = child.tag === "td" || child.tag === "th" ? child.tag : `${child.tag}.${classKey(child)}`;
      const count = (counts.get(step) ?? 0) + 1;
      counts.set(step, count);
      const items = child.tag === "li" || child.tag === "tr" ? `${path}/${step}` : undefined;
      if (items !== undefined) lists.set(items, count);
      // A list in a list has the number of items of the outer one, which may be any.
      visit(child, `${path}/${step}#${count}`, depth + 1, list ?? (count > 1 ? items : undefined));
    }
  };
  visit(row, "", 0);
  return { leaves, lists };
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
