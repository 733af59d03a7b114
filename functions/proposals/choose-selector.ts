import { type Compound, cssOf, Finder, nthOf, type Selector, type Token } from "./selector.ts";
import { isGenerated, isStable, isState, isUtility } from "./stable.ts";
import type { TreeNode } from "./tree.ts";

/** A selector, and how likely it is to break: 0 is the best. */
export interface Choice {
  selector: Selector;
  css: string;
  cost: number;
}

interface Priced {
  token: Token;
  cost: number;
}

const ANCESTOR = 3;
const NTH = 50;
/** The columns of a table are told by their numbers. */
const CELL = 12;
const CELLS = new Set(["td", "th", "dd"]);
/** What no name is in matches whatever else comes to a page. */
const NAMELESS = 15;
const TEST_IDS = [
  "data-testid",
  "data-test-id",
  "data-test",
  "data-cy",
  "data-qa",
  "data-hook",
  "data-automation-id",
];
const LANDMARKS = new Set(
  "main,nav,header,footer,article,aside,section,h1,form,table,tbody,ol,ul,dl".split(","),
);
/** How many conditions on one element, and how many of an ancestor, are tried. */
const OWN_MAX = 10;
const ANCESTOR_MAX = 4;
const ANCESTORS_MAX = 12;
const ATTEMPTS_MAX = 1_500;

/** What may be said of an element, the best first. */
export function tokensOf(node: TreeNode): Priced[] {
  const priced: Priced[] = [];
  const add = (cost: number, token: Token) => priced.push({ token, cost });
  const attribute = (name: string, cost: number, isFine: (value: string) => boolean = isStable) => {
    const value = node.attribute(name);
    if (value && value.length <= 60 && isFine(value)) add(cost, { kind: "attribute", name, value });
  };
  const noDigits = (text: string) => !/\d/.test(text);
  for (const name of TEST_IDS) attribute(name, 1);
  attribute("itemprop", 1);
  attribute("rel", 2, (value) => /^(?:next|prev|author|tag|bookmark)$/.test(value));
  attribute("aria-label", 3, noDigits);
  attribute("id", 5);
  const id = priced.find(({ token }) => token.kind === "attribute" && token.name === "id");
  if (id) id.token = { kind: "id", value: node.attribute("id") as string };
  attribute("title", 6, noDigits);
  attribute("itemtype", 6, () => true);
  attribute("name", 7);
  attribute("role", 7);
  if (node.tag === "input" || node.tag === "button") attribute("type", 7);
  add(LANDMARKS.has(node.tag) ? 8 : 20, { kind: "tag", value: node.tag });
  if (node.parent && node.parent.children.filter(({ tag }) => tag === node.tag).length > 1)
    add(CELLS.has(node.tag) ? CELL : NTH, { kind: "nth", value: nthOf(node) });
  if (node.tag === "tr" && node.children.some(({ tag }) => tag === "td"))
    add(9, { kind: "has", value: "td" });
  for (const name of node.classes)
    if (!isGenerated(name))
      add(isState(name) ? 25 : isUtility(name) ? 15 : 10, { kind: "class", value: name });
  return priced.sort((a, b) => a.cost - b.cost);
}

/** What can be said of each of them. */
function commonTokens(nodes: readonly TreeNode[]): Priced[] {
  const [first, ...others] = nodes;
  if (!first) return [];
  const keysOf = (node: TreeNode) => new Set(tokensOf(node).map(({ token }) => JSON.stringify(token)));
  const rest = others.map(keysOf);
  return tokensOf(first).filter(({ token }) => rest.every((keys) => keys.has(JSON.stringify(token))));
}

/** What counts as found. */
export type Accepts = (found: readonly TreeNode[]) => boolean;

/** Chooses selectors among some elements: those of a page, or those below the rows of a list. */
export class SelectorChooser {
  readonly #finder: Finder;
  readonly #roots: ReadonlySet<TreeNode>;
  #attempts = 0;

  /** @param roots ancestors that a selector can't name, because it is evaluated below them */
  constructor(nodes: readonly TreeNode[], roots: readonly TreeNode[] = []) {
    this.#finder = new Finder(nodes);
    this.#roots = new Set(roots);
  }

  /**
   * The selector that will last longest among those that match exactly the wanted elements.
   * @param accepts overrides what is exact
   * @param surcharge what makes some selectors more likely to break than their parts
   */
  choose(
    wanted: readonly TreeNode[],
    accepts: Accepts = sameAs(wanted),
    surcharge: (selector: Selector) => number = () => 0,
  ): Choice | undefined {
    let best: Choice | undefined;
    this.#attempts = 0;
    const attempt = (selector: Selector, price: number) => {
      const cost =
        price + surcharge(selector) + (this.#roots.size === 0 && isNameless(selector) ? NAMELESS : 0);
      if ((best && best.cost <= cost) || this.#attempts > ATTEMPTS_MAX) return;
      this.#attempts += 1;
      if (accepts(this.#finder.all(selector))) best = { selector, css: cssOf(selector), cost };
    };
    const own = ownCompounds(wanted);
    for (const { compound, cost } of own) attempt([compound], cost);
    this.#withAncestors(wanted, own, attempt);
    return best ?? this.#byPosition(wanted, accepts);
  }

  #withAncestors(
    wanted: readonly TreeNode[],
    own: readonly PricedCompound[],
    attempt: (selector: Selector, cost: number) => void,
  ): void {
    const outer = ancestorLevels(wanted, this.#roots).map(ancestorCompounds);
    for (const [depth, compounds] of outer.entries()) {
      for (const ancestor of compounds) {
        for (const { compound, cost } of own.slice(0, OWN_MAX)) {
          const total = ancestor.cost + cost + ANCESTOR;
          attempt([ancestor.compound, compound], total);
          const child = { ...compound, isChild: true };
          if (depth === 0) attempt([ancestor.compound, child], total + 1);
          // The level between is often needed to tell the rows of a list from what is nested in them.
          if (depth !== 1) continue;
          for (const middle of outer[0]?.slice(0, 2) ?? [])
            attempt(
              [ancestor.compound, { ...middle.compound, isChild: true }, child],
              total + middle.cost + ANCESTOR,
            );
        }
      }
    }
  }

  /** By the number among its siblings, below an ancestor that is easier to tell. */
  #byPosition(wanted: readonly TreeNode[], accepts: Accepts): Choice | undefined {
    const [first] = wanted;
    let path: Compound[] = [];
    let cost = 0;
    for (let at = first; at && !this.#roots.has(at); at = at.parent) {
      const anchor = at === first ? undefined : this.#single(at);
      if (anchor) {
        const selector = [anchor.compound, ...path];
        if (accepts(this.#finder.all(selector)))
          return { selector, css: cssOf(selector), cost: anchor.cost + cost };
      }
      const { tag } = at;
      const isOnly = (at.parent?.children.filter((each) => each.tag === tag).length ?? 1) === 1;
      const isNumbered = !isOnly && !(at === first && wanted.length > 1);
      const tokens: Token[] = [{ kind: "tag", value: tag }];
      if (isNumbered) tokens.push({ kind: "nth", value: nthOf(at) });
      cost += ANCESTOR + (isNumbered ? NTH : 20);
      const relative = [{ tokens }, ...path];
      if (accepts(this.#finder.all(relative))) return { selector: relative, css: cssOf(relative), cost };
      path = [{ tokens, isChild: true }, ...path];
    }
    return undefined;
  }

  /** The cheapest conditions that only this element fulfils. */
  #single(node: TreeNode): PricedCompound | undefined {
    const isSame = sameAs([node]);
    return ownCompounds([node])
      .slice(0, OWN_MAX)
      .find(({ compound }) => isSame(this.#finder.all([compound])));
  }
}

const isNameless = (selector: Selector) =>
  selector.every(({ tokens }) =>
    tokens.every(({ kind }) => kind === "tag" || kind === "nth" || kind === "has"),
  );

const sameAs = (wanted: readonly TreeNode[]) => {
  const set = new Set(wanted);
  return (found: readonly TreeNode[]) => found.length === set.size && found.every((node) => set.has(node));
};

interface PricedCompound {
  compound: Compound;
  cost: number;
}

/** Compounds that fit all of the elements: single conditions, pairs of them, and each with the tag. */
function ownCompounds(nodes: readonly TreeNode[]): PricedCompound[] {
  const common = commonTokens(nodes).slice(0, OWN_MAX);
  const isAlone = ({ token }: Priced) => token.kind !== "nth" && token.kind !== "has";
  const singles = common.filter(isAlone).map(({ token, cost }) => ({ compound: { tokens: [token] }, cost }));
  const pairs: PricedCompound[] = [];
  for (const [index, one] of common.entries())
    for (const other of common.slice(index + 1)) {
      // A tag makes another condition no more likely to break.
      const [tag, rest] = one.token.kind === "tag" ? [one, other] : [other, one];
      const cost = tag.token.kind === "tag" ? rest.cost + 1 : one.cost + other.cost;
      pairs.push({ compound: { tokens: [one.token, other.token] }, cost });
    }
  return [...singles, ...pairs].sort((a, b) => a.cost - b.cost);
}

/** What each ancestor of one element, or the ancestors of several on the same level, have in common. */
function ancestorLevels(wanted: readonly TreeNode[], roots: ReadonlySet<TreeNode>): TreeNode[][] {
  const levels: TreeNode[][] = [];
  let level = [...new Set(wanted.map(({ parent }) => parent))];
  while (levels.length < ANCESTORS_MAX) {
    const nodes = level.filter((node) => node !== undefined);
    if (nodes.length < level.length || nodes.length === 0) break;
    if (nodes.some((node) => roots.has(node) || node.tag === "html")) break;
    levels.push(nodes);
    level = [...new Set(nodes.map(({ parent }) => parent))];
  }
  return levels;
}

const ancestorCompounds = (nodes: readonly TreeNode[]): PricedCompound[] =>
  commonTokens(nodes)
    .filter(({ token }) => token.kind !== "nth" && token.kind !== "has")
    .slice(0, ANCESTOR_MAX)
    .map(({ token, cost }) => ({ compound: { tokens: [token] }, cost }));
