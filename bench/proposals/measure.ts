import { Effort } from "../../functions/proposals/effort.ts";
import type { ListProposal } from "../../functions/proposals/lists/lists.ts";
import { controlsCalled, controlsOf } from "../../functions/proposals/pagination/controls.ts";
import type { PaginationProposal } from "../../functions/proposals/pagination/pagination.ts";
import { type Proposals, propose } from "../../functions/proposals/propose.ts";
import { SelectorChooser } from "../../functions/proposals/selectors/choose-selector.ts";
import { parseSelector } from "../../functions/proposals/selectors/parse-selector.ts";
import { Finder } from "../../functions/proposals/selectors/selector.ts";
import { absolute, type Tree, type TreeNode, treeOf } from "../../functions/proposals/tree.ts";
import type { CollectedPage } from "./collect-pages.ts";
import { mutations } from "./mutations.ts";

export interface ProposedPage {
  page: CollectedPage;
  proposals: Proposals;
}

export const proposePage = (page: CollectedPage): ProposedPage => ({
  page,
  proposals: propose(page.snapshot),
});

/** Hits of tries. */
export interface Share {
  hits: number;
  of: number;
  /** What went wrong, for whoever tunes. */
  failed: string[];
}

const share = (): Share => ({ hits: 0, of: 0, failed: [] });
function count(to: Share, isHit: boolean, what: string): void {
  to.of += 1;
  if (isHit) to.hits += 1;
  else to.failed.push(what);
}

export interface Measured {
  recall: Share;
  precision: Share;
  otherPage: Share;
  mutated: Share;
  first: Share;
  firstFive: Share;
  falseAlarms: Share;
}

/** Rows that two lists have in common, of all rows of both. */
const SAME_LIST = 0.8;
const VALUE_EXTRA = 30;

export function measure(pages: readonly ProposedPage[]): Measured {
  const result: Measured = {
    recall: share(),
    precision: share(),
    otherPage: share(),
    mutated: share(),
    first: share(),
    firstFive: share(),
    falseAlarms: share(),
  };
  for (const proposed of pages) {
    const { page } = proposed;
    if (page.next !== undefined) measureNext(proposed, result);
    if (page.rows !== undefined) measureLists(proposed, result);
    if (page.set === "article-extraction-benchmark") {
      const [alarm] = proposed.proposals.pagination;
      result.falseAlarms.of += 1;
      if (!alarm) continue;
      result.falseAlarms.hits += 1;
      result.falseAlarms.failed.push(describe(page, alarm));
    }
  }
  measureOtherPages(pages, result);
  measureValues(pages, result);
  return result;
}

const describe = ({ set, file, url }: CollectedPage, proposal?: unknown) =>
  `${set} ${file.split("/").at(-1)} ${url} ${proposal ? JSON.stringify(proposal) : ""}`;

const nextOf = ({ proposals }: ProposedPage): PaginationProposal | undefined =>
  proposals.pagination.find(({ pagination }) => pagination.type === "next_button");

function measureNext(proposed: ProposedPage, result: Measured): void {
  const { page } = proposed;
  const next = nextOf(proposed);
  const tree = treeOf(page.snapshot);
  const isRight = next !== undefined && isLabelled(tree, page, next.elements);
  if (page.next !== null && page.labelled.length > 0)
    count(result.recall, isRight, describe(page, { label: page.next, next }));
  if (next) count(result.precision, isRight, describe(page, { label: page.next, next }));
  if (next && isRight) measureMutations(tree, locatorOf(next), next.elements, describe(page), result.mutated);
}

/** Whether elements are those that the label names, or lead to the same page. */
function isLabelled(
  { nodes, snapshot }: Tree,
  { labelled }: CollectedPage,
  elements: readonly number[],
): boolean {
  const targetOf = (node: TreeNode) => {
    const link = [...node.selfAndAncestors(), ...node.descendants()].find(
      (at) => at.tag === "a" && at.attribute("href"),
    );
    return absolute(link?.attribute("href"), snapshot.base)?.href;
  };
  const marked = labelled.map((index) => nodes[index] as TreeNode);
  const targets = new Set(marked.map(targetOf).filter(Boolean));
  return (
    elements.length > 0 &&
    elements.every((index) => {
      const node = nodes[index] as TreeNode;
      return (
        marked.some((each) => each.contains(node) || node.contains(each)) || targets.has(targetOf(node) ?? "")
      );
    })
  );
}

type Locator = (tree: Tree) => TreeNode[];

function locatorOf({ pagination }: PaginationProposal): Locator {
  const { field_name, selector } = pagination as { field_name?: string; selector?: string };
  if (field_name !== undefined)
    return (tree) => controlsCalled(controlsOf(tree), field_name).map(({ node }) => node);
  return selectorLocator(selector as string);
}

const selectorLocator = (css: string): Locator => {
  const selector = parseSelector(css);
  if (!selector) throw new Error(`Can't read the selector ${css}`);
  return (tree) => new Finder(tree.nodes).all(selector, new Effort()) ?? [];
};

function measureMutations(
  tree: Tree,
  locate: Locator,
  targets: readonly number[],
  what: string,
  result: Share,
): void {
  for (const [number, mutate] of mutations.entries()) {
    const { snapshot, indexes } = mutate(tree.snapshot, targets);
    const changed = treeOf(snapshot);
    const wanted = targets.map((index) => changed.nodes[indexes[index] as number] as TreeNode);
    const found = locate(changed);
    const isRow = targets.length > 1;
    const isFound = (node: TreeNode) => wanted.some((each) => each === node || each.contains(node));
    const isHit = found.length > 0 && found.every(isFound) && (!isRow || found.length > 0);
    count(result, isHit, `mutation ${number}: ${what}`);
  }
}

function measureLists(proposed: ProposedPage, result: Measured): void {
  const { page, proposals } = proposed;
  const tree = treeOf(page.snapshot);
  const wanted = mainLists(tree, page.labelled);
  if (wanted.length === 0) return;
  const isSame = ({ rows }: ListProposal) => wanted.some((list) => overlap(tree, rows, list) >= SAME_LIST);
  const right = proposals.lists.find(isSame);
  const seen = proposals.lists.map(({ selector, count, score }) => ({ selector, count, score }));
  const what = `${describe(page, seen)} wanted ${wanted.map(({ size }) => size)}`;
  count(result.first, right !== undefined && right === proposals.lists[0], what);
  count(result.firstFive, right !== undefined, what);
  if (!right) return;
  const locate = selectorLocator(right.selector);
  const rows = locate(tree).map(({ index }) => index);
  measureMutations(tree, locate, rows, what, result.mutated);
}

/**
 * The labels name the records of all lists of a page, also those of menus. The main list is the largest set of siblings
 * among them that is shown, or all of them together. None where no two of them are shown.
 */
function mainLists({ nodes }: Tree, labelled: readonly number[]): Set<number>[] {
  const shown = labelled.map((index) => nodes[index] as TreeNode).filter(({ isShown }) => isShown);
  const groups = [...Map.groupBy(shown, ({ parent }) => parent).values()];
  const largest = Math.max(0, ...groups.map(({ length }) => length));
  if (largest < 2) return [];
  return [shown, ...groups.filter(({ length }) => length === largest)].map(
    (group) => new Set(group.map(({ index }) => index)),
  );
}

/** How much two sets of rows agree; a row may be the box around the labelled element, if it holds only that one. */
function overlap({ nodes }: Tree, rows: readonly number[], wanted: ReadonlySet<number>): number {
  let common = 0;
  for (const index of rows) {
    const row = nodes[index] as TreeNode;
    const inside = [index, ...[...row.descendants()].map((node) => node.index)].filter((each) =>
      wanted.has(each),
    );
    const around = [...row.selfAndAncestors()].slice(1, 4).filter((node) => wanted.has(node.index));
    if (inside.length === 1 || (inside.length === 0 && around.length === 1)) common += 1;
  }
  return common / (rows.length + wanted.size - common);
}

/** The control of one page is looked for on the other pages of the site. */
function measureOtherPages(pages: readonly ProposedPage[], result: Measured): void {
  const labelled = pages.filter(({ page }) => page.next && page.labelled.length > 0);
  for (const proposed of labelled) {
    const next = nextOf(proposed);
    if (!next || !isLabelled(treeOf(proposed.page.snapshot), proposed.page, next.elements)) continue;
    const locate = locatorOf(next);
    for (const { page } of labelled) {
      if (page === proposed.page || page.host !== proposed.page.host) continue;
      const tree = treeOf(page.snapshot);
      const found = locate(tree).filter(({ isShown }) => isShown);
      const isHit =
        found.length > 0 &&
        isLabelled(
          tree,
          page,
          found.map(({ index }) => index),
        );
      count(result.otherPage, isHit, describe(page, next));
    }
  }
}

/** The selector of a value on one page is used on the other pages of the site. */
function measureValues(pages: readonly ProposedPage[], result: Measured): void {
  const bySite = Object.groupBy(
    pages.filter(({ page }) => page.values !== undefined),
    ({ page }) => page.host,
  );
  for (const site of Object.values(bySite)) {
    const [first, ...others] = (site ?? []).map(({ page }) => ({ page, tree: treeOf(page.snapshot) }));
    if (!first) continue;
    const chooser = new SelectorChooser(first.tree.nodes, new Effort(Number.POSITIVE_INFINITY));
    for (const [name, value] of Object.entries(first.page.values ?? {})) {
      const node = elementWith(first.tree, value);
      const choice = node && chooser.choose([node]);
      if (!choice) continue;
      const locate: Locator = (tree) => new Finder(tree.nodes).all(choice.selector, new Effort()) ?? [];
      measureMutations(first.tree, locate, [node.index], `${name} ${choice.css}`, result.mutated);
      for (const { page, tree } of others) {
        const wanted = page.values?.[name]?.trim();
        if (wanted === undefined || !elementWith(tree, wanted)) continue;
        const [found] = locate(tree);
        const isHit = found?.text.toLowerCase().includes(wanted.toLowerCase()) === true;
        count(
          result.otherPage,
          isHit,
          `${describe(page)} ${name} ${choice.css}: ${found?.text.slice(0, 60)} / ${wanted}`,
        );
      }
    }
  }
}

/** The innermost element that says a value, and little else. */
function elementWith(tree: Tree, value: string): TreeNode | undefined {
  const wanted = value.replace(/\s+/g, " ").trim().toLowerCase();
  const fits = ({ isShown, text }: TreeNode) =>
    isShown && text.length <= wanted.length + VALUE_EXTRA && text.toLowerCase().includes(wanted);
  const found = tree.nodes.filter((node) => fits(node) && !node.children.some(fits));
  return found.find(({ text }) => text.toLowerCase() === wanted) ?? found[0];
}
