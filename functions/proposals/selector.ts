import type { Effort } from "./effort.ts";
import type { TreeNode } from "./tree.ts";

/** One condition of a selector on an element. */
export type Token =
  | { kind: "tag"; value: string }
  | { kind: "id"; value: string }
  | { kind: "class"; value: string }
  | { kind: "attribute"; name: string; value: string }
  /** The position of the element among its siblings with the same tag, from 1: `:nth-of-type()`. */
  | { kind: "nth"; value: number }
  /** The element has a child with this tag: `:has(> tag)`. */
  | { kind: "has"; value: string };

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
  const order = ["tag", "id", "class", "attribute", "nth", "has"];
  return tokens
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map((token) => {
      if (token.kind === "tag") return token.value;
      if (token.kind === "id") return `#${escaped(token.value)}`;
      if (token.kind === "class") return `.${escaped(token.value)}`;
      if (token.kind === "nth") return `:nth-of-type(${token.value})`;
      if (token.kind === "has") return `:has(> ${token.value})`;
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
      return node.childrenWith(token.value) > 0;
  }
}

const fits = (node: TreeNode, { tokens }: Compound) => tokens.every((token) => fulfils(node, token));

/**
 * Whether an element matches the compounds of a selector up to the index `last`. As in CSS, the ancestors that match
 * the other compounds may be anywhere in the tree. Returns false if the effort is spent before that is known.
 */
function matches(node: TreeNode, selector: Selector, effort: Effort, last = selector.length - 1): boolean {
  const compound = selector[last];
  effort.spend(1);
  if (!compound || !fits(node, compound)) return false;
  if (last === 0) return true;
  for (let at = node.parent; at && !effort.isSpent; at = at.parent) {
    if (matches(at, selector, effort, last - 1)) return true;
    if (compound.isChild) return false;
  }
  return false;
}

/** An index of elements by tag, class and attribute, which finds the elements that match a selector. */
export class Finder {
  readonly #nodes: readonly TreeNode[];
  readonly #byToken = new Map<string, TreeNode[]>();

  /** @param nodes the elements to search in, in document order; ancestors in a selector may be outside of them */
  constructor(nodes: readonly TreeNode[]) {
    this.#nodes = nodes;
    for (const node of nodes) {
      this.#note(`t ${node.tag}`, node);
      for (const name of node.classes) this.#note(`c ${name}`, node);
      for (const [name, value] of Object.entries(node.attributes))
        if (name !== "class") this.#note(`a ${name} ${value}`, node);
    }
  }

  #note(key: string, node: TreeNode): void {
    const known = this.#byToken.get(key);
    if (known) known.push(node);
    else this.#byToken.set(key, [node]);
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
      if (matches(node, selector, effort)) found.push(node);
    }
    return effort.isSpent ? undefined : found;
  }

  /** The elements that meet one condition; undefined for `nth` and `has`, which are not indexed. */
  having(token: Token): readonly TreeNode[] | undefined {
    if (token.kind === "nth" || token.kind === "has") return undefined;
    const key =
      token.kind === "tag"
        ? `t ${token.value}`
        : token.kind === "class"
          ? `c ${token.value}`
          : token.kind === "id"
            ? `a id ${token.value}`
            : `a ${token.name} ${token.value}`;
    return this.#byToken.get(key) ?? [];
  }
}
