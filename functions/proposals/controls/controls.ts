import { absolute, type Tree, type TreeNode } from "../tree.ts";
import { bare } from "./control-words.ts";

/** Something to press. */
export interface Control {
  node: TreeNode;
  /** What it is called: its text, label, title, and the text of its image. */
  names: string[];
  /** What else says what it is: its names, and labels of its icon and of its box, which it can't be found by. */
  hints: string[];
  /** Where it leads, without the fragment; undefined where it states no address. */
  target: URL | undefined;
  isDisabled: boolean;
}

const NAME_MAX = 80;
const PRESSABLE_INPUT = /^(?:button|submit|image)$/;

export function isPressable(node: TreeNode): boolean {
  if (node.tag === "a" || node.tag === "button" || node.tag === "summary") return true;
  if (node.tag === "input") return PRESSABLE_INPUT.test(node.attribute("type") ?? "");
  return /^(?:button|link)$/.test(node.attribute("role") ?? "") || node.attribute("onclick") !== undefined;
}

/** All shown controls of a page, in document order. */
export function controlsOf(tree: Tree): Control[] {
  return tree.nodes
    .filter((node) => isPressable(node) && node.isShown)
    .map((node) => {
      const target = targetOf(node, tree.snapshot.base);
      return { node, ...namesOf(node), target, isDisabled: isDisabled(node, target) };
    });
}

function namesOf(node: TreeNode): Pick<Control, "names" | "hints"> {
  const image =
    node.tag === "img" || node.tag === "input"
      ? node
      : [...node.descendants()].find(({ tag }) => tag === "img");
  const names = [
    node.attribute("aria-label"),
    node.text,
    node.attribute("title"),
    node.attribute("value"),
    image?.attribute("alt"),
    image?.attribute("title"),
  ];
  const hints = node.text === "" ? [...names, ...labelsBeside(node)] : names;
  return { names: cleaned(names), hints: cleaned(hints) };
}

const cleaned = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.flatMap((name) => (name?.trim() ? [name.trim().slice(0, NAME_MAX)] : []))),
];

/** The labels of the icon in a control, and of a box that only holds the control. */
function labelsBeside(node: TreeNode): (string | undefined)[] {
  const box = node.parent?.children.length === 1 ? [node.parent] : [];
  return [...node.descendants(), ...box].flatMap((at) => [at.attribute("aria-label"), at.attribute("title")]);
}

function targetOf(node: TreeNode, base: string): URL | undefined {
  const href = node.tag === "a" ? node.attribute("href") : undefined;
  if (!href || href.startsWith("#")) return undefined;
  const url = absolute(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return url;
}

const DISABLED = /(?:^|[-_])(?:disabled|unavailable|off)(?:$|[-_])/i;
/** Many pagers call each link so that does not lead to the page that is shown. */
const INACTIVE = /(?:^|[-_])inactive(?:$|[-_])/i;

function isDisabled(node: TreeNode, target: URL | undefined): boolean {
  const isOff = (at: TreeNode) =>
    at.attribute("disabled") !== undefined ||
    at.attribute("aria-disabled") === "true" ||
    at.classes.some((name) => DISABLED.test(name) || (!target && INACTIVE.test(name)));
  return (
    isOff(node) || (node.parent !== undefined && node.parent.children.length === 1 && isOff(node.parent))
  );
}

/** The controls that the engine would find by a name: those that are called exactly that, apart from decoration. */
export const controlsCalled = (controls: readonly Control[], name: string): Control[] =>
  controls.filter(({ names }) => names.some((each) => bare(each) === bare(name)));
