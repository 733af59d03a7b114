import { SelectorChooser } from "./choose-selector.ts";
import { bare } from "./controls/control-words.ts";
import { controlsOf } from "./controls/controls.ts";
import type { ListProposal } from "./lists.ts";
import type { Tree, TreeNode } from "./tree.ts";

/** How a step finds an element: the name that no other control has, or "", and a selector, or "". */
export type Handle = [ref: number, name: string, selector: string];

/** To choose a selector takes some milliseconds. */
const SELECTORS_MAX = 250;
const POSITION = /:nth-/;
/** What names a value, and is no value itself. */
const LABEL = /^[^\d"\\]{1,40}$/;
const READABLE = new Set(["img", "time", "input", "select", "textarea"]);

/**
 * How steps find what a person may point at: controls, inputs, texts and pictures. What stands in the rows of a list is
 * found by the list and its fields, so that it has no selector here.
 */
export function handlesOf(tree: Tree, lists: readonly Pick<ListProposal, "rows">[]): Handle[] {
  const names = uniqueNames(tree);
  const inRows = new Set(lists.flatMap(({ rows }) => rows));
  const isInRow = (node: TreeNode) => [...node.around()].some(({ index }) => inRows.has(index));
  const chooser = new SelectorChooser(tree.nodes);
  const handles: Handle[] = [];
  let chosen = 0;
  for (const node of tree.nodes) {
    const name = names.get(node);
    if (!node.isShown) continue;
    if (name === undefined && !READABLE.has(node.tag) && node.ownText === "") continue;
    const isChosen = chosen < SELECTORS_MAX && !isInRow(node);
    if (isChosen) chosen += 1;
    const selector = isChosen ? selectorOf(node, tree, chooser) : "";
    if (name || selector) handles.push([node.index, name ?? "", selector]);
  }
  return handles;
}

function selectorOf(node: TreeNode, tree: Tree, chooser: SelectorChooser): string {
  const selector = chooser.choose([node])?.css ?? "";
  // By a position, a step finds something else on a page that lacks one of the elements before it.
  return POSITION.test(selector) ? (selectorByLabel(node, tree) ?? selector) : selector;
}

/** By the label beside a value, as in a table of facts; undefined where no element before it has a text of its own. */
function selectorByLabel(node: TreeNode, tree: Tree): string | undefined {
  const siblings = node.parent?.children ?? [];
  const label = siblings[siblings.indexOf(node) - 1];
  if (label === undefined || !LABEL.test(label.text) || label.text !== label.ownText) return undefined;
  const isOnly = tree.nodes.every(
    (other) => other === label || other.tag !== label.tag || other.text !== label.text,
  );
  return isOnly ? `${label.tag}:text-is(${JSON.stringify(label.text)}) + ${node.tag}` : undefined;
}

/** Of each control, the first name that no other one has; "" where it has none. */
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
