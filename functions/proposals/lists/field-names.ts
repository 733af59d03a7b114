import { isGenerated, isState, isUtility } from "../selectors/stable.ts";
import type { TreeNode } from "../tree.ts";
import type { Column } from "./columns.ts";

const NAME_MAX = 40;
const LABEL_MAX = 30;
const HEADINGS = /^h[1-6]$/;
/** Words of class names that say how something looks, not what it is. */
const APPEARANCE =
  /^(?:text|txt|item|items|block|wrap|wrapper|container|content|inner|outer|box|body|cell|col|column|row|list|card|tile|entry|main|left|right|top|bottom|value|field|label|data|info|link|btn|button|span|div|img|image|icon|media|small|large|big|bold|title|view|views|el|component|module|widget|element|grid|section|post|product|article|node)$/i;

/** Turns a text into a field name: "Release date" and "releaseDate" become "release_date". */
export const words = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replaceAll(" ", "_")
    .slice(0, NAME_MAX);

/** Chooses a unique name for each column, from the markup of the rows. */
export function fieldNames(rows: readonly TreeNode[], columns: readonly Column[]): string[] {
  const taken = new Set<string>();
  const title = titleColumn(rows, columns);
  const titleLink = columns.find((column) => column.attribute === "href" && areNested(column, title));
  return columns.map((column) => {
    const [row, node] = firstNode(rows, column);
    const base =
      statedName(row, node, column) ??
      (column === title ? "title" : undefined) ??
      (column.attribute === "href" && (column === titleLink || !titleLink) ? "url" : undefined) ??
      (column.attribute === "href"
        ? `${classWord(row, node) ?? (words(node.text) && "link")}_url`.replace(/^_/, "")
        : undefined) ??
      (column.kind === "image" ? "image" : undefined) ??
      (column.kind === "price" && !/price|cost|amount/i.test(classWord(row, node) ?? "")
        ? "price"
        : undefined) ??
      classWord(row, node) ??
      (column.kind === "text" ? "text" : column.kind);
    let name = base || "value";
    for (let count = 2; taken.has(name); count += 1) name = `${base || "value"}_${count}`;
    taken.add(name);
    return name;
  });
}

/** The first row that has the column, and the column's element in it. */
function firstNode(rows: readonly TreeNode[], { nodes }: Column): [TreeNode, TreeNode] {
  const index = nodes.findIndex((node) => node !== undefined);
  return [rows[index] as TreeNode, nodes[index] as TreeNode];
}

/**
 * The column with the title of the rows: the first heading, else the first element with a class such as "title", else
 * the text of the first link, else the first text. Undefined for the rows of a table.
 */
function titleColumn(rows: readonly TreeNode[], columns: readonly Column[]): Column | undefined {
  if (rows[0]?.tag === "tr") return undefined;
  const texts = columns.filter(({ attribute, kind }) => attribute === undefined && kind === "text");
  const within = (column: Column, test: (node: TreeNode) => boolean) => {
    const [row, node] = firstNode(rows, column);
    for (const at of node.selfAndAncestors()) {
      if (at !== row && test(at)) return true;
      if (at === row) return false;
    }
    return false;
  };
  return (
    texts.find((column) => within(column, ({ tag }) => HEADINGS.test(tag))) ??
    texts.find((column) =>
      within(column, ({ classes }) => classes.some((name) => /title|heading|headline|name/i.test(name))),
    ) ??
    texts.find(
      (column) => firstNode(rows, column)[1].tag === "a" || within(column, ({ tag }) => tag === "a"),
    ) ??
    texts[0]
  );
}

/** Whether a column's link contains the other column's element, or is inside of it. */
function areNested(link: Column, other: Column | undefined): boolean {
  const at =
    other?.nodes.findIndex((node, index) => node !== undefined && link.nodes[index] !== undefined) ?? -1;
  const [a, b] = [link.nodes[at], other?.nodes[at]];
  return a !== undefined && b !== undefined && (a.contains(b) || b.contains(a));
}

/** The name that the page gives a value: itemprop, an attribute such as data-label, the column heading, or a label. */
function statedName(row: TreeNode, node: TreeNode, { attribute, kind }: Column): string | undefined {
  const itemprop = node.attribute("itemprop");
  if (itemprop) return words(itemprop);
  const suffix = attribute === "href" ? "_url" : kind === "image" ? "_image" : "";
  for (const at of node.selfAndAncestors()) {
    const label =
      at.attribute("data-label") ??
      at.attribute("data-title") ??
      at.attribute("data-th") ??
      at.attribute("data-field");
    if (label && at !== row && label.length <= LABEL_MAX && words(label) !== "") return words(label) + suffix;
    const heading = at.tag === "td" || at.tag === "th" ? columnHeading(at) : undefined;
    if (heading) return words(heading) + suffix;
    if (at === row) break;
  }
  const label = labelBefore(node);
  return label && words(label) !== "" ? words(label) + suffix : undefined;
}

/** The text of the header cell above a cell. */
function columnHeading(cell: TreeNode): string | undefined {
  const cells = cell.parent?.children ?? [];
  const span = (node: TreeNode) => Number(node.attribute("colspan") ?? 1) || 1;
  const column = cells.slice(0, cells.indexOf(cell)).reduce((sum, node) => sum + span(node), 0);
  const table = cell.selfAndAncestors().find(({ tag }) => tag === "table");
  const headers = table
    ?.descendants()
    .find(
      (node) =>
        node.tag === "tr" &&
        node.children.length > 1 &&
        node.children.every(({ tag }) => tag === "th" || tag === "td") &&
        node.children.filter(({ tag }) => tag === "th").length > 1,
    );
  if (!headers || headers === cell.parent) return undefined;
  let at = 0;
  for (const header of headers.children) {
    if (at === column) return header.text.slice(0, NAME_MAX) || undefined;
    at += span(header);
  }
  return undefined;
}

/** The text of a label right before the value: a text with a colon such as "Author:", or a `dt`. */
function labelBefore(node: TreeNode): string | undefined {
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  if (!before || before.text === "" || before.text.length > LABEL_MAX) return undefined;
  if (node.tag === "dd" && before.tag === "dt") return before.text;
  if (/[:：]$/.test(before.text)) return before.text;
  return undefined;
}

/** Words of the class names of the element, or else of its ancestors in the row, that say what the value is. */
function classWord(row: TreeNode, node: TreeNode): string | undefined {
  for (const at of node.selfAndAncestors()) {
    if (at === row) return undefined;
    for (const name of at.classes) {
      if (isGenerated(name) || isState(name) || isUtility(name)) continue;
      const last = name.split(/__|--/).slice(0, 2).at(-1) ?? name;
      const parts = words(last)
        .split("_")
        .filter((part) => part.length > 2 && !APPEARANCE.test(part));
      if (parts.length > 0) return parts.slice(-2).join("_");
    }
  }
  return undefined;
}
