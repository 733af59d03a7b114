import { absolute, type Tree, type TreeNode } from "../tree.ts";
import { bare } from "./control-words.ts";

/** A control that can be clicked: a link, a button or an element that acts like one. */
export interface Control {
  node: TreeNode;
  /** Its names, by which a step can find it: aria-label, text, title, value, and the alt and title of its image. */
  names: string[];
  /** Texts that tell its purpose: its names and, if it has no text, the labels of its icon and its box. */
  hints: string[];
  /** The address of a link, without the fragment; undefined if there is none, or if it is not HTTP. */
  target: URL | undefined;
  isDisabled: boolean;
}

/** Longer names of controls are cut, in characters. */
export const NAME_MAX = 80;
/** The most elements in a control that are searched for its image, its icon and their labels. */
export const INSIDE_MAX = 20;
/** Elements that have such a pointer, but only choose or type something. */
const UNPRESSED = new Set(["label", "input", "select", "option", "textarea"]);
const PRESSABLE_INPUT = /^(?:button|submit|image)$/;

/** Whether an element can be clicked: a link, a button, a summary, or an element with such a role or with `onclick`. */
export function isPressable(node: TreeNode): boolean {
  if (node.tag === "a" || node.tag === "button" || node.tag === "summary") return true;
  if (node.tag === "input") return PRESSABLE_INPUT.test(node.attribute("type") ?? "");
  return /^(?:button|link)$/.test(node.attribute("role") ?? "") || node.attribute("onclick") !== undefined;
}

/**
 * Whether the pointer shows that a short text can be clicked, such as a `div` that a script listens to. The parts of
 * such an element have the same pointer.
 */
const isPointedAt = (node: TreeNode): boolean =>
  node.hasPointer &&
  node.parent?.hasPointer === false &&
  node.text !== "" &&
  node.text.length <= NAME_MAX &&
  !UNPRESSED.has(node.tag) &&
  !node.descendants(INSIDE_MAX).some(isPressable);

/** All shown controls of a page, in document order. */
export function controlsOf(tree: Tree): Control[] {
  return tree.nodes
    .filter((node) => node.isShown && (isPressable(node) || isPointedAt(node)))
    .map((node) => {
      const target = targetOf(node, tree.snapshot.base);
      return { node, ...namesOf(node), target, isDisabled: isDisabled(node, target) };
    });
}

/** Only the first image in the control counts. */
function namesOf(node: TreeNode): Pick<Control, "names" | "hints"> {
  const image =
    node.tag === "img" || node.tag === "input"
      ? node
      : node.descendants(INSIDE_MAX).find(({ tag }) => tag === "img");
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

/** Removes empty texts, duplicates and surrounding spaces, and cuts each text to 80 characters. */
const cleaned = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.flatMap((name) => (name?.trim() ? [name.trim().slice(0, NAME_MAX)] : []))),
];

/** The labels of the elements in a control, and of the parent if the control is its only child. */
function labelsBeside(node: TreeNode): (string | undefined)[] {
  const box = node.parent?.children.length === 1 ? [node.parent] : [];
  return [...node.descendants(INSIDE_MAX), ...box].flatMap((at) => [
    at.attribute("aria-label"),
    at.attribute("title"),
  ]);
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
/** Disables only controls without an address: many pagers use this class for every link except the current page. */
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

/**
 * The controls that the engine finds by a name: those with exactly this name, or else those whose name has it as a part.
 * Case and decoration do not count.
 */
export function controlsCalled(controls: readonly Control[], name: string): Control[] {
  const wanted = bare(name);
  const having = (test: (name: string) => boolean) =>
    controls.filter(({ names }) => names.some((each) => test(bare(each))));
  const exact = having((each) => each === wanted);
  return exact.length > 0 ? exact : having((each) => each.includes(wanted));
}
