import type { SelectorChooser } from "../selectors/choose-selector.ts";
import { cssOf, fulfils, type Selector, type Token } from "../selectors/selector.ts";
import { isGenerated, isState } from "../selectors/stable.ts";
import type { Tree, TreeNode } from "../tree.ts";
import { mentionsPages } from "./control-words.ts";
import type { Control } from "./controls.ts";
import { pageNumberOf } from "./numbered-pages.ts";

/** A control with the number of the next page. */
export interface NextNumber {
  /** Finds the control after that of the current page, on each page. */
  selector: string;
  control: Control;
}

/** The least number of pages in a pager. */
const PAGES_LEAST = 2;

/** An element of a pager that shows the number of a page. */
interface Item {
  /** The child of the pager. */
  node: TreeNode;
  number: number;
  /** Undefined for the current page in most pagers. */
  control: Control | undefined;
}

/**
 * Finds the control of the next page in a pager that has only numbers. The selector finds the element after that of the
 * current page, so the current page must look different from the others.
 */
export function nextNumber(controls: readonly Control[], chooser: SelectorChooser): NextNumber | undefined {
  const known = new Map(controls.map((control) => [control.node, control]));
  const pagers = new Set(controls.flatMap((control) => pagerOf(control) ?? []));
  for (const pager of pagers) {
    const found = nextIn(pager, known);
    const box = found && chooser.choose([pager], undefined, countsPages);
    if (found && box) return { selector: `${box.css} > ${found.path}`, control: found.control };
  }
  return undefined;
}

/**
 * The dropdowns whose options are the pages of a list: "1", "2" and so on, or "Page 1 of 4" and so on. Others with such
 * options ask for a number, for example of travelers, so the options, the label or the id must mention pages.
 */
export function pageDropdowns({ nodes }: Tree): TreeNode[] {
  return nodes.filter((node) => {
    const { tag, isShown, children, parent } = node;
    if (tag !== "select" || !isShown || children.length < PAGES_LEAST) return false;
    const said = [parent?.ownText, node.attribute("aria-label"), node.attribute("title"), children[0]?.text];
    const named = [node.attribute("id"), node.attribute("name"), ...node.classes];
    if (!said.some((text = "") => mentionsPages(text)) && !named.some((name = "") => PAGE_NAME.test(name)))
      return false;
    return children.every(({ text }, index) => {
      const [number] = /\d+/.exec(text) ?? [];
      return Number(number) === index + 1 && text.replace(/[^\p{L}]/gu, "").length <= WORDS_MAX;
    });
  });
}

/** Ids, names and classes of such a dropdown. */
const PAGE_NAME = /(?:^|[-_])(?:pg|page|pages|pager|pagina|pagination|paging|seite)(?:$|[-_\d])/i;
/** The most letters of an option beside the number of its page, as in "Page 1 of 4". */
const WORDS_MAX = 12;

/** The cost of a selector by the number of pages, which changes. */
const countsPages = (selector: Selector): number =>
  selector.some(({ tokens }) => tokens.some((token) => token.kind === "has" && token.count > 1)) ? 50 : 0;

/** The element that holds a control with the number of a page, or the box around that control, among its siblings. */
function pagerOf(control: Control): TreeNode | undefined {
  if (pageNumberOf(control) === undefined) return undefined;
  let at = control.node;
  while (at.parent?.children.length === 1) at = at.parent;
  return at.parent;
}

/** The next control of a pager, and the selector of it below the pager. */
function nextIn(
  pager: TreeNode,
  known: ReadonlyMap<TreeNode, Control>,
): { path: string; control: Control } | undefined {
  const items = pager.children.flatMap((node): Item[] => {
    const number = /^[[(]?(\d{1,4})[\])]?$/.exec(node.text)?.[1];
    if (number === undefined || !node.isShown) return [];
    return [{ node, number: Number(number), control: controlIn(node, known) }];
  });
  if (items.length < PAGES_LEAST) return undefined;
  for (const [index, { node, number }] of items.entries()) {
    const next = items[index + 1];
    if (next?.number !== number + 1 || !next.control || nextSibling(node) !== next.node) continue;
    const mark = markOf(
      node,
      items.flatMap((item) => (item.node === node ? [] : [item.node])),
    );
    if (mark === undefined) continue;
    const inside = next.control.node === next.node ? "" : ` ${next.control.node.tag}`;
    return { path: `${mark} + ${next.node.tag}${inside}`, control: next.control };
  }
  return undefined;
}

const controlIn = (node: TreeNode, known: ReadonlyMap<TreeNode, Control>): Control | undefined =>
  [node, ...node.descendants()].map((at) => known.get(at)).find((control) => control !== undefined);

function nextSibling(node: TreeNode): TreeNode | undefined {
  const siblings = node.parent?.children ?? [];
  return siblings[siblings.indexOf(node) + 1];
}

/** A compound selector that matches the element of the current page, and none of those of the other pages. */
function markOf(node: TreeNode, others: readonly TreeNode[]): string | undefined {
  const partsOf = (at: TreeNode) => [at, ...at.descendants()];
  const parts = partsOf(node);
  const attribute = (name: string) =>
    parts.flatMap((at): Token[] => {
      const value = at.attribute(name);
      return value === undefined ? [] : [{ kind: "attribute", name, value }];
    });
  const classes = parts.flatMap((at) => at.classes.map((value) => ({ kind: "class", value }) as const));
  const tokens: Token[] = [
    ...attribute("aria-current"),
    ...classes.filter(({ value }) => isState(value)),
    ...classes.filter(({ value }) => !isGenerated(value)),
    ...parts.map(({ tag }) => ({ kind: "tag", value: tag }) as const),
    ...attribute("disabled"),
  ];
  const mark = tokens.find(
    (token) => !others.some((other) => partsOf(other).some((at) => fulfils(at, token))),
  );
  const css = mark && cssOf([{ tokens: [mark] }]);
  return mark && (fulfils(node, mark) ? css : `${node.tag}:has(${css})`);
}
