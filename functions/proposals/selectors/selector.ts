import type { Effort } from "../effort.ts";
import type { HeldTag, TreeNode } from "../tree.ts";

/** One condition of a selector on an element. */
export type Token =
  | { kind: "tag"; value: string }
  | { kind: "id"; value: string }
  | { kind: "class"; value: string }
  | { kind: "attribute"; name: string; value: string }
  /** The position of the element among its siblings with the same tag, from 1: `:nth-of-type()`. */
  | { kind: "nth"; value: number }
  /** The element has at least so many children with this tag: `:has(> tag)`. */
  | { kind: "has"; value: string; count: number }
  /** The element has a descendant with this tag: `:has(tag)`. */
  | { kind: "holds"; value: HeldTag };

/** A compound selector: all conditions that one element has to meet, and the combinator before it. */
export interface Compound {
  tokens: readonly Token[];
  /** True for the child combinator (">"), false for the descendant combinator. Ignored in the first compound. */
  isChild?: boolean;
}

/** A CSS selector. It has only features that can be evaluated on a snapshot. */
export type Selector = readonly Compound[];

/** Writes a selector as CSS. */
export function cssOf(selector: Selector): string {
  return selector
    .map(({ tokens, isChild }, index) => (index === 0 ? "" : isChild ? " > " : " ") + compoundCss(tokens))
    .join("");
}

function compoundCss(tokens: readonly Token[]): string {
  const order = ["tag", "id", "class", "attribute", "nth", "has", "holds"];
  return tokens
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map((token) => {
      if (token.kind === "tag") return token.value;
      if (token.kind === "id") return `#${escaped(token.value)}`;
      if (token.kind === "class") return `.${escaped(token.value)}`;
      if (token.kind === "nth") return `:nth-of-type(${token.value})`;
      if (token.kind === "has")
        return `:has(> ${token.value}${token.count > 1 ? `:nth-of-type(${token.count})` : ""})`;
      if (token.kind === "holds") return `:has(${token.value})`;
      return `[${token.name}="${token.value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\a ")}"]`;
    })
    .join("");
}

/** Escapes a class name or an id for CSS. */
const escaped = (name: string): string =>
  name
    .replace(/[^\w\u0080-\uffff-]/g, (character) => `\\${character}`)
    .replace(
      /^(-?)(\d)/,
      (_, dash: string, digit: string) => `${dash}\\${digit.codePointAt(0)?.toString(16)} `,
    )
    .replace(/^-$/, "\\-");

/** Whether an element meets a condition. */
export function fulfils(node: TreeNode, token: Token): boolean {
  switch (token.kind) {
    case "tag":
      return node.tag === token.value;
    case "id":
      return node.attribute("id") === token.value;
    case "class":
      return node.hasClass(token.value);
    case "attribute":
      return node.attribute(token.name) === token.value;
    case "nth":
      return node.nth === token.value;
    case "has":
      return node.childrenWith(token.value) >= token.count;
    case "holds":
      return node.holds(token.value);
  }
}

const fits = (node: TreeNode, { tokens }: Compound) => tokens.every((token) => fulfils(node, token));

/**
 * Whether an element matches the compounds of a selector up to the index `last`. The ancestors that match the other
 * compounds may be anywhere up to a root. Returns false if the effort is spent before that is known.
 */
function matches(
  node: TreeNode,
  selector: Selector,
  { effort, roots }: { effort: Effort; roots: ReadonlySet<TreeNode> },
  last = selector.length - 1,
): boolean {
  const compound = selector[last];
  effort.spend(1);
  if (!compound || !fits(node, compound)) return false;
  if (last === 0) return true;
  for (let at = node; at.parent && !roots.has(at) && !effort.isSpent; ) {
    at = at.parent;
    if (matches(at, selector, { effort, roots }, last - 1)) return true;
    if (compound.isChild) return false;
  }
  return false;
}

/** Adds a value to those of a key. */
function note<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** An index of elements by tag, class and attribute, which finds the elements that match a selector. */
export class Finder {
  readonly #nodes: readonly TreeNode[];
  readonly #byTag = new Map<string, TreeNode[]>();
  /** By the name of an attribute, then by its value. */
  readonly #byAttribute = new Map<string, Map<string, TreeNode[]>>();
  /** The elements with a class, by their `class` attribute: pages have few different ones. */
  readonly #byClass = new Map<string, TreeNode[][]>();

  readonly #roots: ReadonlySet<TreeNode>;

  /**
   * @param nodes the elements to search in, in document order
   * @param roots elements with whose ancestors no part of a selector is compared: the rows of a list
   */
  constructor(nodes: readonly TreeNode[], roots: ReadonlySet<TreeNode> = new Set()) {
    this.#nodes = nodes;
    this.#roots = roots;
    for (const [classes, members] of Map.groupBy(nodes, (node) => node.classes))
      for (const name of classes) note(this.#byClass, name, members);
    for (const node of nodes) {
      note(this.#byTag, node.tag, node);
      for (const [name, value] of Object.entries(node.attributes)) {
        if (name === "class") continue;
        const byValue = this.#byAttribute.get(name) ?? new Map();
        this.#byAttribute.set(name, byValue);
        note(byValue, value, node);
      }
    }
  }

  /** The elements that a selector matches, in document order; undefined if the effort does not suffice. */
  all(selector: Selector, effort: Effort): TreeNode[] | undefined {
    // Only the elements with the rarest condition are compared with the whole selector.
    const tokens = selector.at(-1)?.tokens ?? [];
    let pool: readonly TreeNode[] = this.#nodes;
    for (const token of tokens) {
      const found = this.having(token);
      if (found && found.length < pool.length) pool = found;
    }
    const found: TreeNode[] = [];
    for (const node of pool) {
      if (effort.isSpent) return undefined;
      if (matches(node, selector, { effort, roots: this.#roots })) found.push(node);
    }
    return effort.isSpent ? undefined : found;
  }

  /** The elements that meet one condition; undefined for those that are not indexed. */
  having(token: Token): readonly TreeNode[] | undefined {
    switch (token.kind) {
      case "nth":
      case "has":
      case "holds":
        return undefined;
      case "tag":
        return this.#byTag.get(token.value) ?? [];
      case "class":
        return this.#withClass(token.value);
      case "id":
        return this.#byAttribute.get("id")?.get(token.value) ?? [];
      case "attribute":
        return this.#byAttribute.get(token.name)?.get(token.value) ?? [];
    }
  }

  #withClass(name: string): readonly TreeNode[] {
    const groups = this.#byClass.get(name) ?? [[]];
    const [first = [], ...others] = groups;
    if (others.length === 0) return first;
    const all = groups.flat().sort((one, other) => one.index - other.index);
    this.#byClass.set(name, [all]);
    return all;
  }
}
