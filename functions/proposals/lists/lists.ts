import type { Row } from "../../contract/runs/run.ts";
import { type Choice, SelectorChooser } from "../selectors/choose-selector.ts";
import { DEPTH_MAX } from "../snapshot.ts";
import { commonAncestor, type Tree, type TreeNode } from "../tree.ts";
import { type Column, columnsOf, otherColumnsOf } from "./columns.ts";
import { isContainer } from "./container.ts";
import { type FieldProposal, type FieldsWithCells, fieldsOf } from "./fields.ts";
import { type JsonListProposal, jsonEffort, jsonListFor } from "./json-lists.ts";
import { classKey, cluster, isAlike } from "./shapes.ts";

/** A list that a scraper could read from the page. */
export interface ListProposal {
  /** The CSS selector of the rows. */
  selector: string;
  /** The selectors of the frames that the list is in, from the outermost on; absent: it is in the page itself. */
  frame?: string[];
  /** The number of elements with content that the selector matches. */
  count: number;
  fields: FieldProposal[];
  /** The first three rows, as a run would extract them. Values are cut to 200 characters. */
  sampleRows: Row[];
  /** How likely this is the list that a person wants. Only comparable with other lists of the same page. */
  score: number;
  /** Whether the list is outside of the navigation, headers, footers, sidebars and dialogs of the page. */
  isMain: boolean;
  /** Indexes of the rows in the snapshot. */
  rows: number[];
  /** For each field and each row, the index of the element in the snapshot; null if the row has none. */
  cells: (number | null)[][];
  /** What else could be read: values of few rows, values that all rows share, and parts of values. */
  others: FieldsWithCells;
  /** JSON that the page carries with the same rows and further fields. */
  fromJson?: JsonListProposal;
}

/** The most lists that are proposed. */
export const LISTS_MAX = 5;
/** The number of candidates whose columns are computed, which takes time. */
const RATED_MAX = 60;
/** The most elements in the rows of all these candidates together. Candidates may contain each other. */
const RATED_ELEMENTS_MAX = 200_000;
/** The most ancestors of a candidate that may make it a part of another one. */
const NESTED_MAX = 50;
/** The number of rows of a candidate that are compared with each other. */
const ROWS_RATED = 60;
/** How many more elements than rows a simpler selector may match, as a share of the rows. */
const EXTRA = 0.2;
/** From this cost on, a selector is fragile, for example by position. A selector that matches more may be better. */
const EXACT_COST = 75;
/** Class names and ids of the parts of a page that are rarely its main content. */
const PARTS =
  /(?:^|[-_ ])(?:nav|navbar|navigation|menu|submenu|header|footer|foot|breadcrumbs?|filters?|facets?|refinements?|dialog|modal|popup|cookies?|consent|pagination|pager|paging|social|share|sharing|sidebar|widget|toolbar|tags?|tagcloud|language|lang|carousel|slider|comments?|related|recommended)(?:$|[-_ ])/i;
const PART_TAGS = new Set(["nav", "header", "footer", "aside", "dialog", "select"]);
const PART_ROLES =
  /^(?:navigation|menu|menubar|banner|contentinfo|dialog|complementary|tablist|toolbar|listbox)$/;
/** The same without the roles that also occur in the main content: tablist, toolbar and listbox. */
const ASIDE_ROLES = /^(?:navigation|menu|menubar|banner|contentinfo|dialog|complementary)$/;
/** Factor of the score of two rows: two elements that look alike are rarely a list. */
const PAIR = 0.2;
/** Factor of the score of rows that only contain the rows of another list: they are rarely wanted. */
const CONTAINER = 0.2;
/** Elements that are never rows of a list. */
const NEVER_ROWS = new Set(
  "option,optgroup,br,hr,source,track,param,col,colgroup,td,th,dt,thead,tfoot,head,body,html,svg,img,input".split(
    ",",
  ),
);

/** A candidate for a list, with its columns and its score. */
export interface Rated {
  rows: readonly TreeNode[];
  columns: Column[];
  score: number;
}

/**
 * Proposes at most five lists, the best first.
 * @param like indexes of elements in the snapshot that must be in different rows of each list
 * @param hasOthers whether `others` are wanted, which takes some time
 */
export function listsOf(tree: Tree, like: readonly number[] = [], hasOthers = false): ListProposal[] {
  const chooser = new SelectorChooser(tree.nodes, tree.effort);
  const proposals: ListProposal[] = [];
  const accepted: (readonly TreeNode[])[] = [];
  const effort = jsonEffort();
  for (const { rows, columns, score } of ratedLists(tree, like)) {
    if (tree.effort.isSpent) break;
    if (accepted.some((other) => isPartOf(rows, other))) continue;
    const choice = rowSelector(chooser, rows);
    if (!choice || proposals.some(({ selector }) => selector === choice.css)) continue;
    const more = hasOthers ? otherColumnsOf(rows, tree.snapshot.base, columns) : [];
    const { fields, sampleRows, values, cells, others } = fieldsOf(rows, columns, more, tree.effort);
    if (fields.length === 0) continue;
    const { base, json = [] } = tree.snapshot;
    const fromJson = jsonListFor({ fields, values, base }, json, effort);
    proposals.push({
      selector: choice.css,
      count: choice.count,
      fields,
      sampleRows,
      score: Math.round(score),
      isMain: isMain(rows),
      rows: rows.map(({ index }) => index),
      cells,
      others,
      ...(fromJson && { fromJson }),
    });
    accepted.push(rows);
    if (proposals.length === LISTS_MAX) break;
  }
  return proposals;
}

/** Whether all rows are inside one row of another list, or are themselves rows of it. */
function isPartOf(rows: readonly TreeNode[], other: readonly TreeNode[]): boolean {
  const [first, last] = [rows[0] as TreeNode, rows.at(-1) as TreeNode];
  const isInOne = other.some((row) => row.contains(first) && row.contains(last));
  return isInOne || (other.includes(first) && other.includes(last));
}

/** A selector that matches exactly the rows. If that would be fragile, a cheaper one may match a few more elements. */
export function rowSelector(
  chooser: SelectorChooser,
  rows: readonly TreeNode[],
): (Choice & { count: number }) | undefined {
  const exact = chooser.choose(rows);
  if (exact && exact.cost < EXACT_COST) return { ...exact, count: rows.length };
  const set = new Set(rows);
  let count = 0;
  const looser = chooser.choose(rows, (found) => {
    // Elements without content are placeholders that the engine waits for, so they do not count.
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

/** All candidates with a score above 0, the best first. `like` is the same as in `listsOf`. */
export function ratedLists(tree: Tree, like: readonly number[] = []): Rated[] {
  const quick = (like.length > 0 ? candidatesWith(tree, like) : candidates(tree))
    .map((rows) => ({ rows, quick: quickScore(rows) }))
    .sort((a, b) => b.quick - a.quick);
  const rated = affordable(quick.map(({ rows }) => rows))
    .map((rows) => rate(rows, tree))
    .filter(({ score }) => score > 0);
  for (const each of rated) if (rated.some((other) => isContainer(each, other))) each.score *= CONTAINER;
  return rated.sort((a, b) => b.score - a.score);
}

/** The first candidates whose columns can be computed in a short time. */
function affordable(candidates: readonly (readonly TreeNode[])[]): (readonly TreeNode[])[] {
  let elements = 0;
  return candidates
    .filter((rows) => {
      const more = rows.reduce((sum, { size }) => sum + size + 1, 0);
      if (elements + more > RATED_ELEMENTS_MAX) return false;
      elements += more;
      return true;
    })
    .slice(0, RATED_MAX);
}

/**
 * All sets of elements that could be the rows of a list: siblings that look alike, the children of such siblings, and
 * the sets of `scattered`.
 */
export function candidates(tree: Tree): TreeNode[][] {
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

/** Elements with the same classes that look alike, anywhere on the page: the rows of a list that has several parts. */
function scattered(tree: Tree): TreeNode[][] {
  const named = tree.nodes.filter(
    (node) => node.isShown && !NEVER_ROWS.has(node.tag) && classKey(node) !== "",
  );
  const groups = Map.groupBy(named, (node) => `${node.tag}.${classKey(node)}`);
  return [...groups.values()].flatMap((group) => {
    const parents = new Set(group.map(({ parent }) => parent)).size;
    // Each part has several rows. An element that occurs once in each of many boxes is a field.
    return parents > 1 && group.length >= parents * 2 ? cluster(group) : [];
  });
}

/** The candidates that have each of the elements `like` in a different row. */
function candidatesWith(tree: Tree, like: readonly number[]): TreeNode[][] {
  const nodes = like.flatMap((index) => tree.nodes[index] ?? []);
  if (nodes.length < like.length) return [];
  return [...candidates(tree), siblingsOf(nodes)].filter((rows) => {
    const found = nodes.map((node) => rows.findIndex((row) => row.contains(node)));
    return rows.length > 1 && !found.includes(-1) && new Set(found).size === found.length;
  });
}

/** The children of the common ancestor that contain one of the elements, and their siblings that look like them. */
export function siblingsOf(nodes: readonly TreeNode[]): TreeNode[] {
  const parent = commonAncestor(nodes);
  const rows = (parent?.children ?? []).filter((child) => nodes.some((node) => child.contains(node)));
  const isRow = (child: TreeNode) =>
    child.isShown && !NEVER_ROWS.has(child.tag) && rows.some((row) => row === child || isAlike(row, child));
  return (parent?.children ?? []).filter(isRow);
}

/** Groups shown elements with the same tag that look alike. A group may have only one element. */
function alikeAmong(nodes: readonly TreeNode[]): TreeNode[][] {
  const byTag = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    if (!node.isShown || (NEVER_ROWS.has(node.tag) && !isCard(node))) continue;
    const same = byTag.get(node.tag);
    if (same) same.push(node);
    else byTag.set(node.tag, [node]);
  }
  return [...byTag.values()].flatMap((same) => cluster(same));
}

/** Whether a cell of a table is a card: a picture and a link, as a shop may arrange its goods. */
const isCard = (node: TreeNode) => node.tag === "td" && node.hasImage && node.holds("a") && node.text !== "";

const hasContent = (node: TreeNode) => node.text !== "" || node.hasImage;

/** Drops each set whose rows are inside the rows of another set of the same size, one in each. */
function withoutNested(sets: TreeNode[][]): TreeNode[][] {
  const owners = Map.groupBy(sets, ([first]) => first as TreeNode);
  const order = new Map(sets.map((rows, index) => [rows, index]));
  const orderOf = (rows: TreeNode[]) => order.get(rows) ?? 0;
  return sets.filter((rows) => {
    for (const at of (rows[0] as TreeNode).selfAndAncestors().take(NESTED_MAX))
      for (const outer of owners.get(at) ?? []) {
        if (outer === rows || outer.length !== rows.length) continue;
        if (at === rows[0] && orderOf(outer) > orderOf(rows)) continue;
        if (outer.every((node, index) => node.contains(rows[index] as TreeNode))) return false;
      }
    return true;
  });
}

/** The total area of all rows, in square pixels. */
const areaOf = (rows: readonly TreeNode[]) => rows.reduce((sum, { area }) => sum + area, 0);
/** The average length of a row's text, in characters. Each row counts at most 500. */
const lengthOf = (rows: readonly TreeNode[]) =>
  rows.reduce((sum, { text }) => sum + Math.min(text.length, 500), 0) / rows.length;

/** An estimate of the score that needs no columns. */
const quickScore = (rows: readonly TreeNode[]) =>
  Math.log2(1 + rows.length) * Math.sqrt(areaOf(rows)) * (1 + lengthOf(rows)) ** 0.4 * surroundings(rows);

/** Scores how likely a set is the list that a person wants from the page. */
function rate(rows: readonly TreeNode[], tree: Tree): Rated {
  const sample = rows.slice(0, ROWS_RATED);
  const columns = columnsOf(rows, tree.snapshot.base);
  const distinct =
    new Set(
      sample.map((row, index) => row.text || JSON.stringify(columns.map(({ values }) => values[index]))),
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

/** A factor of the score, 0.02 to 1. It is small for rows in parts of the page that are rarely its main content. */
function surroundings(rows: readonly TreeNode[]): number {
  const parent = commonAncestor(rows);
  let factor = (rows.length === 2 ? PAIR : 1) * (parent ? partFactor(parent) : 1);
  for (const name of (rows[0] as TreeNode).classes) if (PARTS.test(name)) factor *= 0.6;
  return Math.max(factor, 0.02);
}

const partFactors = new WeakMap<TreeNode, number>();

/** The factor for an element and its ancestors up to the body. */
export function partFactor(node: TreeNode): number {
  if (node.tag === "body" || node.tag === "html" || node.depth > DEPTH_MAX) return 1;
  const known = partFactors.get(node);
  if (known !== undefined) return known;
  const own = PART_TAGS.has(node.tag) ? 0.15 : isPart(node) ? 0.3 : 1;
  const factor = own * (node.parent ? partFactor(node.parent) : 1);
  partFactors.set(node, factor);
  return factor;
}

/** Whether elements are outside of the navigation, headers, footers, sidebars and dialogs of their document. */
export function isMain(rows: readonly TreeNode[]): boolean {
  const around = [...(commonAncestor(rows)?.selfAndAncestors() ?? [])];
  return !around.some((node) => PART_TAGS.has(node.tag) || ASIDE_ROLES.test(node.attribute("role") ?? ""));
}

const isPart = (node: TreeNode) =>
  PART_ROLES.test(node.attribute("role") ?? "") ||
  node.attribute("aria-modal") === "true" ||
  [node.attribute("id") ?? "", ...node.classes].some((name) => PARTS.test(name));
