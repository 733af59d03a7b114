import { type Compound, cssOf, Finder, nthOf, type Selector, type Token } from "./selector.ts";
import { isGenerated, isStable, isState, isUtility } from "./stable.ts";
import type { TreeNode } from "./tree.ts";

/** A chosen selector. */
export interface Choice {
  selector: Selector;
  /** The same selector as CSS. */
  css: string;
  /** How likely the selector is to break when the site changes. 0 is the best; there is no upper limit. */
  cost: number;
}

/** A condition and its cost. A selector costs about as much as the sum of its conditions. */
interface Priced {
  token: Token;
  cost: number;
}

/** The cost of each further ancestor in a selector. */
const ANCESTOR = 3;
/** The cost of a position among siblings. */
const NTH = 50;
/** The same for cells of a table, whose position is often all that distinguishes them, and rarely changes. */
const CELL = 12;
const CELLS = new Set(["td", "th", "dd"]);
/** Surcharge for a selector without class, id or attribute. It also matches elements that the page may get later. */
const NAMELESS = 15;
/** Attributes that sites set for their own tests, and rarely change. */
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
/** Limits of the search: conditions on the element, conditions on one ancestor, ancestors, and selectors tried. */
const OWN_MAX = 10;
const ANCESTOR_MAX = 4;
const ANCESTORS_MAX = 12;
const ATTEMPTS_MAX = 1_500;

/** The conditions that an element meets, the cheapest first. */
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

/** The conditions that all elements meet, the cheapest first. */
function commonTokens(nodes: readonly TreeNode[]): Priced[] {
  const [first, ...others] = nodes;
  if (!first) return [];
  const keysOf = (node: TreeNode) => new Set(tokensOf(node).map(({ token }) => JSON.stringify(token)));
  const rest = others.map(keysOf);
  return tokensOf(first).filter(({ token }) => rest.every((keys) => keys.has(JSON.stringify(token))));
}

/** Whether the elements that a selector matches are the right ones. */
export type Accepts = (found: readonly TreeNode[]) => boolean;

/** Chooses selectors for elements of a page, or for elements below the rows of a list. */
export class SelectorChooser {
  readonly #finder: Finder;
  readonly #roots: ReadonlySet<TreeNode>;
  #attempts = 0;

  /**
   * @param nodes all elements that selectors are evaluated on, in document order
   * @param roots ancestors that a selector can't name, because it is evaluated below them: the rows of a list
   */
  constructor(nodes: readonly TreeNode[], roots: readonly TreeNode[] = []) {
    this.#finder = new Finder(nodes);
    this.#roots = new Set(roots);
  }

  /**
   * The cheapest selector that matches exactly the wanted elements; undefined if none is found.
   * @param accepts replaces the condition that exactly the wanted elements match
   * @param surcharge cost to add to that of a selector's conditions
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

  /** Tries the conditions of the wanted elements below those of one or two ancestors. */
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
          // Often, only the parent in between distinguishes the rows of a list from elements nested in them.
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

  /** A selector by positions among siblings, below the nearest ancestor that a single compound identifies. */
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

  /** The cheapest compound that only this element matches. */
  #single(node: TreeNode): PricedCompound | undefined {
    const isSame = sameAs([node]);
    return ownCompounds([node])
      .slice(0, OWN_MAX)
      .find(({ compound }) => isSame(this.#finder.all([compound])));
  }
}

/** Whether a selector has no class, id or attribute. */
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

/** Compounds of one or two conditions that all elements match, the cheapest first. */
function ownCompounds(nodes: readonly TreeNode[]): PricedCompound[] {
  const common = commonTokens(nodes).slice(0, OWN_MAX);
  const isAlone = ({ token }: Priced) => token.kind !== "nth" && token.kind !== "has";
  const singles = common.filter(isAlone).map(({ token, cost }) => ({ compound: { tokens: [token] }, cost }));
  const pairs: PricedCompound[] = [];
  for (const [index, one] of common.entries())
    for (const other of common.slice(index + 1)) {
      // With a tag, another condition is hardly more likely to break.
      const [tag, rest] = one.token.kind === "tag" ? [one, other] : [other, one];
      const cost = tag.token.kind === "tag" ? rest.cost + 1 : one.cost + other.cost;
      pairs.push({ compound: { tokens: [one.token, other.token] }, cost });
    }
  return [...singles, ...pairs].sort((a, b) => a.cost - b.cost);
}

/** The parents of all elements, then the parents of those, and so on, up to a root or `html`, which are left out. */
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

/** Compounds of one condition that all nodes of a level match, the cheapest first. */
const ancestorCompounds = (nodes: readonly TreeNode[]): PricedCompound[] =>
  commonTokens(nodes)
    .filter(({ token }) => token.kind !== "nth" && token.kind !== "has")
    .slice(0, ANCESTOR_MAX)
    .map(({ token, cost }) => ({ compound: { tokens: [token] }, cost }));
