import type { PageDocument } from "./documents.ts";
import type { ListProposal } from "./lists/lists.ts";
import { bare } from "./pagination/control-words.ts";
import { controlsOf } from "./pagination/controls.ts";
import { SelectorChooser } from "./selectors/choose-selector.ts";
import type { Tree, TreeNode } from "./tree.ts";

/**
 * How a step can find an element in its document. `ref` counts the elements of all documents. `name` is a name that no other
 * control of the document has, or "" if there is none. `selector` is a CSS selector, or "" if none was chosen.
 */
export type Handle = [ref: number, name: string, selector: string];

/** To choose one selector takes some milliseconds, so their number is limited. */
const SELECTORS_MAX = 250;
const POSITION = /:nth-/;
/** A text that may label a value, such as "Publisher": short, without digits. */
const LABEL = /^[^\d"\\]{1,40}$/;
/** Elements that a step can read or fill in even if they have no text. */
const READABLE = new Set(["img", "time", "input", "select", "textarea"]);

/**
 * Finds handles for the shown controls, inputs, texts and pictures of a document. Elements in the rows of a list get no
 * selector, because a scraper reads them by the selectors of the list and its fields.
 * @param lists lists whose `rows` are refs
 */
export function handlesOf(
  { tree, first }: Pick<PageDocument, "tree" | "first">,
  lists: readonly Pick<ListProposal, "rows">[],
): Handle[] {
  const names = uniqueNames(tree);
  const inRows = new Set(lists.flatMap(({ rows }) => rows));
  const isInRow = (node: TreeNode) => node.selfAndAncestors().some(({ index }) => inRows.has(index + first));
  const chooser = new SelectorChooser(tree.nodes, tree.effort);
  const handles: Handle[] = [];
  let chosen = 0;
  for (const node of tree.nodes) {
    const name = names.get(node);
    if (!node.isShown) continue;
    if (name === undefined && !READABLE.has(node.tag) && node.ownText === "") continue;
    const isChosen = chosen < SELECTORS_MAX && !isInRow(node);
    if (isChosen) chosen += 1;
    const selector = isChosen ? selectorOf(node, tree, chooser) : "";
    if (name || selector) handles.push([node.index + first, name ?? "", selector]);
  }
  return handles;
}

function selectorOf(node: TreeNode, tree: Tree, chooser: SelectorChooser): string {
  const selector = chooser.choose([node])?.css ?? "";
  // A selector by position finds the wrong element on a page that lacks one of the elements before it.
  return POSITION.test(selector) ? (selectorByLabel(node, tree) ?? selector) : selector;
}

/**
 * A selector that finds a value by the label right before it, as in a table of facts. Undefined if the element before
 * it is no label, or if the page has the same label twice.
 */
function selectorByLabel(node: TreeNode, tree: Tree): string | undefined {
  const siblings = node.parent?.children ?? [];
  const label = siblings[siblings.indexOf(node) - 1];
  if (label === undefined || !LABEL.test(label.text) || label.text !== label.ownText) return undefined;
  const isUnique = tree.nodes.every(
    (other) => other === label || other.tag !== label.tag || other.text !== label.text,
  );
  return isUnique ? `${label.tag}:text-is(${JSON.stringify(label.text)}) + ${node.tag}` : undefined;
}

/** For each control, the first of its names that no other control has; "" if there is none. */
function uniqueNames(tree: Tree): Map<TreeNode, string> {
  const controls = controlsOf(tree).map(({ node, names }) => ({
    node,
    names: names.map((name) => ({ name, key: bare(name) })),
  }));
  const uses = new Map<string, number>();
  for (const { names } of controls)
    for (const key of new Set(names.map((each) => each.key))) uses.set(key, (uses.get(key) ?? 0) + 1);
  return new Map(
    controls.map(({ node, names }) => [node, names.find(({ key }) => uses.get(key) === 1)?.name ?? ""]),
  );
}
