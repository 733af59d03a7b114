import type { TreeNode } from "./tree.ts";

/** One condition on an element. */
export type Token =
  | { kind: "tag"; value: string }
  | { kind: "id"; value: string }
  | { kind: "class"; value: string }
  | { kind: "attribute"; name: string; value: string }
  /** Its number among the siblings with the same tag, from 1. */
  | { kind: "nth"; value: number }
  /** It has a child with that tag. */
  | { kind: "has"; value: string };

/** What one element has to fulfil, and how it relates to the compound before it. */
export interface Compound {
  tokens: readonly Token[];
  /** Whether it is a child of the one before, not just somewhere below it. */
  isChild?: boolean;
}

/** A CSS selector, made of few means, so that it can be evaluated on a snapshot. */
export type Selector = readonly Compound[];

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

/** A name as it is written in CSS. */
const escaped = (name: string): string =>
  name
    .replace(/[^\w\u0080-\uffff-]/g, (character) => `\\${character}`)
    .replace(
      /^(-?)(\d)/,
      (_, dash: string, digit: string) => `${dash}\\${digit.codePointAt(0)?.toString(16)} `,
    )
    .replace(/^-$/, "\\-");

export function fulfils(node: TreeNode, token: Token): boolean {
  switch (token.kind) {
    case "tag":
      return node.tag === token.value;
    case "id":
      return node.attribute("id") === token.value;
    case "class":
      return node.classes.includes(token.value);
    case "attribute":
      return node.attribute(token.name) === token.value;
    case "nth":
      return nthOf(node) === token.value;
    case "has":
      return node.children.some(({ tag }) => tag === token.value);
  }
}

/** The number of an element among its siblings with the same tag, from 1. */
export const nthOf = (node: TreeNode): number =>
  (node.parent?.children ?? [node]).filter(({ tag }) => tag === node.tag).indexOf(node) + 1;

const fits = (node: TreeNode, { tokens }: Compound) => tokens.every((token) => fulfils(node, token));

/** Whether an element matches. As in CSS, ancestors may be anywhere. */
export function matches(node: TreeNode, selector: Selector, last = selector.length - 1): boolean {
  const compound = selector[last];
  if (!compound || !fits(node, compound)) return false;
  if (last === 0) return true;
  for (let at = node.parent; at; at = at.parent) {
    if (matches(at, selector, last - 1)) return true;
    if (compound.isChild) return false;
  }
  return false;
}

/** Finds elements by the conditions that single out the fewest. */
export class Finder {
  readonly #nodes: readonly TreeNode[];
  readonly #byToken = new Map<string, TreeNode[]>();

  /** @param nodes those that are looked for, in document order; their ancestors may be others */
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

  /** The elements that a selector matches, in document order. */
  all(selector: Selector): TreeNode[] {
    const tokens = selector.at(-1)?.tokens ?? [];
    let pool: readonly TreeNode[] = this.#nodes;
    for (const token of tokens) {
      const found = this.having(token);
      if (found && found.length < pool.length) pool = found;
    }
    return pool.filter((node) => matches(node, selector));
  }

  /** The elements that have one token; undefined for those that are not indexed. */
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
