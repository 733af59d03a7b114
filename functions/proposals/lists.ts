import type { Row } from "../contract/run.ts";
import { type Choice, SelectorChooser } from "./choose-selector.ts";
import { type Column, columnsOf } from "./columns.ts";
import { type FieldProposal, fieldsOf } from "./fields.ts";
import { classKey, cluster, isAlike } from "./shapes.ts";
import { commonAncestor, type Tree, type TreeNode } from "./tree.ts";

/** A list that the page could be read as. */
export interface ListProposal {
  /** Of its rows. */
  selector: string;
  count: number;
  fields: FieldProposal[];
  /** What its first rows have. */
  sampleRows: Row[];
  score: number;
  /** Whether it lies outside of the navigation, headers, footers, sidebars and dialogs of the page. */
  isMain: boolean;
  /** Indexes of the rows in the snapshot. */
  rows: number[];
  /** For each field, the index of its element in each row; null where a row has none. */
  cells: (number | null)[][];
}

const LISTS_MAX = 5;
/** Sets of rows whose fields are looked for, and those whose selectors are. */
const RATED_MAX = 60;
const ROWS_RATED = 60;
/** The share of further rows that a much simpler selector may match. */
const EXTRA = 0.2;
/** The cost of a selector by position, which a looser one is better than. */
const EXACT_COST = 75;
const PARTS =
  /(?:^|[-_ ])(?:nav|navbar|navigation|menu|submenu|header|footer|foot|breadcrumbs?|filters?|facets?|refinements?|dialog|modal|popup|cookies?|consent|pagination|pager|paging|social|share|sharing|sidebar|widget|toolbar|tags?|tagcloud|language|lang|carousel|slider|comments?|related|recommended)(?:$|[-_ ])/i;
const PART_TAGS = new Set(["nav", "header", "footer", "aside", "dialog", "select"]);
const PART_ROLES =
  /^(?:navigation|menu|menubar|banner|contentinfo|dialog|complementary|tablist|toolbar|listbox)$/;
/** Of these, what a page is about may have the others. */
const ASIDE_ROLES = /^(?:navigation|menu|menubar|banner|contentinfo|dialog|complementary)$/;
/** Two elements that look alike are rarely a list. */
const PAIR = 0.2;
/** Rows that hold the rows of another list are rarely wanted. */
const CONTAINER = 0.2;
/** The share of their text that these rows have. */
const COVERED = 0.85;
const NEVER_ROWS = new Set(
  "option,optgroup,br,hr,source,track,param,col,colgroup,td,th,dt,thead,tfoot,head,body,html,svg,img,input".split(
    ",",
  ),
);

export interface Rated {
  rows: readonly TreeNode[];
  columns: Column[];
  score: number;
}

/** The most list-like sets of elements, the best first. `like`: indexes of elements that are in rows of their own. */
export function listsOf(tree: Tree, like: readonly number[] = []): ListProposal[] {
  const chooser = new SelectorChooser(tree.nodes);
  const proposals: ListProposal[] = [];
  const accepted: (readonly TreeNode[])[] = [];
  for (const { rows, columns, score } of ratedLists(tree, like)) {
    if (accepted.some((other) => isPartOf(rows, other))) continue;
    const choice = rowSelector(chooser, rows);
    if (!choice || proposals.some(({ selector }) => selector === choice.css)) continue;
    const { fields, sampleRows, cells } = fieldsOf(rows, columns);
    if (fields.length === 0) continue;
    proposals.push({
      selector: choice.css,
      count: choice.count,
      fields,
      sampleRows,
      score: Math.round(score),
      isMain: isMain(rows),
      rows: rows.map(({ index }) => index),
      cells,
    });
    accepted.push(rows);
    if (proposals.length === LISTS_MAX) break;
  }
  return proposals;
}

/** Whether rows all stand in one row of another list, or are some of its rows. */
function isPartOf(rows: readonly TreeNode[], other: readonly TreeNode[]): boolean {
  const [first, last] = [rows[0] as TreeNode, rows.at(-1) as TreeNode];
  const isInOne = other.some((row) => row.contains(first) && row.contains(last));
  return isInOne || (other.includes(first) && other.includes(last));
}

/** A selector for exactly the rows; a much simpler one may match a few more elements. */
function rowSelector(
  chooser: SelectorChooser,
  rows: readonly TreeNode[],
): (Choice & { count: number }) | undefined {
  const exact = chooser.choose(rows);
  if (exact && exact.cost < EXACT_COST) return { ...exact, count: rows.length };
  const set = new Set(rows);
  let count = 0;
  const looser = chooser.choose(rows, (found) => {
    // Empty ones are placeholders, which the engine waits for.
    const extra = found.filter((node) => !set.has(node) && hasContent(node)).length;
    const isFine =
      extra <= rows.length * EXTRA + 1 &&
      rows.length > 3 &&
      found.filter((node) => set.has(node)).length === set.size;
    if (isFine) count = rows.length + extra;
    return isFine;
  });
  if (looser && (!exact || looser.cost < exact.cost)) return { ...looser, count };
  return exact && { ...exact, count: rows.length };
}

/** Sets of rows with their columns, the best first. */
export function ratedLists(tree: Tree, like: readonly number[] = []): Rated[] {
  const quick = (like.length > 0 ? candidatesWith(tree, like) : candidates(tree))
    .map((rows) => ({ rows, quick: quickScore(rows) }))
    .sort((a, b) => b.quick - a.quick)
    .slice(0, RATED_MAX);
  const rated = quick.map(({ rows }) => rate(rows, tree)).filter(({ score }) => score > 0);
  for (const each of rated) if (rated.some((other) => isContainer(each, other))) each.score *= CONTAINER;
  return rated.sort((a, b) => b.score - a.score);
}

/** Whether rows only hold the rows of another list, as the lines of a grid do. */
function isContainer({ rows }: Rated, { rows: inner, columns }: Rated): boolean {
  if (inner.length < rows.length * 2 || columns.length < 2) return false;
  const held = rows.map((row) => inner.filter((node) => node !== row && row.contains(node)));
  if (held.some(({ length }, index) => length < (index === rows.length - 1 ? 1 : 2))) return false;
  const lengthOfAll = (nodes: readonly TreeNode[]) => nodes.reduce((sum, { text }) => sum + text.length, 0);
  return lengthOfAll(held.flat()) >= COVERED * lengthOfAll(rows);
}

/** Siblings that look alike, and cousins: the children of such siblings. */
function candidates(tree: Tree): TreeNode[][] {
  const found: TreeNode[][] = [];
  for (const parent of tree.nodes) {
    if (!parent.isShown || parent.tag === "select" || parent.tag === "svg") continue;
    for (const group of alikeAmong(parent.children)) {
      if (group.length >= 2) found.push(group);
      const cousins = alikeAmong(group.flatMap(({ children }) => children));
      for (const cousin of cousins) if (cousin.length > group.length) found.push(cousin);
    }
  }
  found.push(...scattered(tree));
  return withoutNested(found.map((rows) => rows.filter(hasContent)).filter((rows) => rows.length >= 2));
}

/** Elements with the same classes that look alike, wherever they stand: the rows of a list in several parts. */
function scattered(tree: Tree): TreeNode[][] {
  const named = tree.nodes.filter(
    (node) => node.isShown && !NEVER_ROWS.has(node.tag) && classKey(node) !== "",
  );
  const groups = Map.groupBy(named, (node) => `${node.tag}.${classKey(node)}`);
  return [...groups.values()].flatMap((group) => {
    const parents = new Set(group.map(({ parent }) => parent)).size;
    // A part has several rows: what stands once in each of many boxes is a field.
    return parents > 1 && group.length >= parents * 2 ? cluster(group) : [];
  });
}

/** The sets of which each of these elements is in another row. */
function candidatesWith(tree: Tree, like: readonly number[]): TreeNode[][] {
  const nodes = like.flatMap((index) => tree.nodes[index] ?? []);
  if (nodes.length < like.length) return [];
  return [...candidates(tree), siblingsOf(nodes)].filter((rows) => {
    const found = nodes.map((node) => rows.findIndex((row) => row.contains(node)));
    return rows.length > 1 && !found.includes(-1) && new Set(found).size === found.length;
  });
}

/** What holds the elements below their common ancestor, and its children that look like that. */
function siblingsOf(nodes: readonly TreeNode[]): TreeNode[] {
  const parent = commonAncestor(nodes);
  const rows = (parent?.children ?? []).filter((child) => nodes.some((node) => child.contains(node)));
  const isRow = (child: TreeNode) =>
    child.isShown && !NEVER_ROWS.has(child.tag) && rows.some((row) => row === child || isAlike(row, child));
  return (parent?.children ?? []).filter(isRow);
}

function alikeAmong(nodes: readonly TreeNode[]): TreeNode[][] {
  const byTag = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    if (!node.isShown || NEVER_ROWS.has(node.tag)) continue;
    const same = byTag.get(node.tag);
    if (same) same.push(node);
    else byTag.set(node.tag, [node]);
  }
  return [...byTag.values()].flatMap((same) => cluster(same));
}

const hasContent = (node: TreeNode) =>
  node.text !== "" || node.tag === "img" || [...node.descendants()].some(({ tag }) => tag === "img");

/** Of sets with equally many rows inside each other, the outermost. */
function withoutNested(sets: TreeNode[][]): TreeNode[][] {
  const owners = new Map<TreeNode, TreeNode[][]>();
  for (const rows of sets) {
    const first = rows[0] as TreeNode;
    owners.set(first, [...(owners.get(first) ?? []), rows]);
  }
  return sets.filter((rows) => {
    for (const at of (rows[0] as TreeNode).around())
      for (const outer of owners.get(at) ?? []) {
        if (outer === rows || outer.length !== rows.length) continue;
        if (at === rows[0] && sets.indexOf(outer) > sets.indexOf(rows)) continue;
        if (outer.every((node, index) => node.contains(rows[index] as TreeNode))) return false;
      }
    return true;
  });
}

const areaOf = (rows: readonly TreeNode[]) => rows.reduce((sum, { area }) => sum + area, 0);
const lengthOf = (rows: readonly TreeNode[]) =>
  rows.reduce((sum, { text }) => sum + Math.min(text.length, 500), 0) / rows.length;

const quickScore = (rows: readonly TreeNode[]) =>
  Math.log2(1 + rows.length) * Math.sqrt(areaOf(rows)) * (1 + lengthOf(rows)) ** 0.4 * surroundings(rows);

/** How much a set looks like the list that somebody came for. */
function rate(rows: readonly TreeNode[], tree: Tree): Rated {
  const sample = rows.slice(0, ROWS_RATED);
  const columns = columnsOf(rows, tree.snapshot.base);
  const distinct =
    new Set(
      sample.map((row) => row.text || JSON.stringify(columns.map(({ values }) => values[rows.indexOf(row)]))),
    ).size / sample.length;
  const score =
    Math.log2(1 + rows.length) *
    Math.sqrt(Math.max(1, areaOf(rows))) *
    columns.length ** 0.7 *
    (1 + lengthOf(rows)) ** 0.4 *
    distinct ** 2 *
    surroundings(rows);
  return { rows, columns, score };
}

/** Less than 1 in the parts of a page that are rarely what it is about. */
function surroundings(rows: readonly TreeNode[]): number {
  let factor = rows.length === 2 ? PAIR : 1;
  const parent = commonAncestor(rows);
  for (const at of parent?.around() ?? []) {
    if (at.tag === "body" || at.tag === "html") break;
    if (PART_TAGS.has(at.tag)) factor *= 0.15;
    else if (isPart(at)) factor *= 0.3;
  }
  for (const name of (rows[0] as TreeNode).classes) if (PARTS.test(name)) factor *= 0.6;
  return Math.max(factor, 0.02);
}

function isMain(rows: readonly TreeNode[]): boolean {
  const around = [...(commonAncestor(rows)?.around() ?? [])];
  return !around.some((node) => PART_TAGS.has(node.tag) || ASIDE_ROLES.test(node.attribute("role") ?? ""));
}

const isPart = (node: TreeNode) =>
  PART_ROLES.test(node.attribute("role") ?? "") ||
  node.attribute("aria-modal") === "true" ||
  [node.attribute("id") ?? "", ...node.classes].some((name) => PARTS.test(name));
