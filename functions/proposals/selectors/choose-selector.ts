import type { Effort } from "../effort.ts";
import { HELD_TAGS, type TreeNode } from "../tree.ts";
import { type Compound, cssOf, Finder, type Selector, type Token } from "./selector.ts";
import { isGenerated, isStable, isState, isUtility } from "./stable.ts";

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
  /** Equal for equal conditions. */
  key: string;
}

/** The cost of each further ancestor in a selector. */
const ANCESTOR = 3;
/** The cost of a position among siblings. */
const NTH = 50;
/** The same for cells of a table, whose position is often all that distinguishes them, and rarely changes. */
const CELL = 12;
const CELLS = new Set(["td", "th", "dd"]);
/** The cost of a descendant with a tag, which tells apart elements of different content. */
const HOLDS = 25;
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
/** The most comparisons of elements with selectors for one choice. */
const STEPS_MAX = 200_000;
/** The most conditions of an element, the cheapest ones, that are considered. */
const TOKENS_MAX = 40;

const known = new WeakMap<TreeNode, readonly Priced[]>();

/** The conditions that an element meets, the cheapest first. */
function tokensOf(node: TreeNode): readonly Priced[] {
  const tokens = known.get(node) ?? pricedTokens(node);
  known.set(node, tokens);
  return tokens;
}

function pricedTokens(node: TreeNode): Priced[] {
  const priced: Priced[] = [];
  const add = (cost: number, token: Token) => priced.push({ token, cost, key: JSON.stringify(token) });
  const attribute = (name: string, cost: number, isFine: (value: string) => boolean = isStable) => {
    const value = node.attribute(name);
    if (value && value.length <= 60 && isFine(value)) add(cost, { kind: "attribute", name, value });
  };
  const noDigits = (text: string) => !/\d/.test(text);
  for (const name of TEST_IDS) attribute(name, 1);
  attribute("itemprop", 1);
  attribute("rel", 2, (value) => /^(?:next|prev|author|tag|bookmark)$/.test(value));
  attribute("aria-label", 3, noDigits);
  const id = node.attribute("id");
  if (id && isStable(id)) add(5, { kind: "id", value: id });
  attribute("title", 6, noDigits);
  attribute("itemtype", 6, () => true);
  attribute("name", 7);
  attribute("slot", 7);
  attribute("role", 7);
  if (node.tag === "input" || node.tag === "button") attribute("type", 7);
  add(LANDMARKS.has(node.tag) ? 8 : 20, { kind: "tag", value: node.tag });
  if (hasNth(node)) add(CELLS.has(node.tag) ? CELL : NTH, { kind: "nth", value: node.nth });
  if (node.tag === "tr") {
    const cells = node.childrenWith("td");
    if (cells > 0) add(9, { kind: "has", value: "td", count: 1 });
    // Rows of a table that are no data have a single cell, another number of cells, or cells with other contents.
    for (const count of new Set([2, cells]))
      if (1 < count && count <= cells) add(10, { kind: "has", value: "td", count });
    for (const tag of HELD_TAGS) if (node.holds(tag)) add(HOLDS, { kind: "holds", value: tag });
  }
  for (const name of node.classes)
    if (!isGenerated(name))
      add(isState(name) ? 25 : isUtility(name) ? 15 : 10, { kind: "class", value: name });
  return priced.sort((a, b) => a.cost - b.cost).slice(0, TOKENS_MAX);
}

/** Whether `nth` tells an element from its siblings. */
const hasNth = (node: TreeNode): boolean => (node.parent?.childrenLike(node) ?? 1) > 1;

/** The conditions that all elements meet, the cheapest first. */
function commonTokens(nodes: readonly TreeNode[]): Priced[] {
  const [first] = nodes;
  let common = first ? [...tokensOf(first)] : [];
  for (const node of nodes) {
    if (common.length === 0) break;
    const keys = new Set(tokensOf(node).map(({ key }) => key));
    common = common.filter(({ key }) => keys.has(key));
  }
  return common;
}

/** Whether the elements that a selector matches are the right ones. */
export type Accepts = (found: readonly TreeNode[]) => boolean;

/** Chooses selectors for elements of a page, or for elements below the rows of a list. */
export class SelectorChooser {
  readonly #finder: Finder;
  readonly #roots: ReadonlySet<TreeNode>;
  readonly #effort: Effort;

  /**
   * @param nodes all elements that selectors are evaluated on, in document order
   * @param effort the effort that all choices may cost
   * @param roots ancestors that a selector can't name, because it is evaluated below them: the rows of a list
   */
  constructor(nodes: readonly TreeNode[], effort: Effort, roots: readonly TreeNode[] = []) {
    this.#roots = new Set(roots);
    this.#finder = new Finder(nodes, this.#roots);
    this.#effort = effort;
  }

  /**
   * The cheapest selector that matches exactly the wanted elements; undefined if none is found with reasonable effort.
   * @param accepts replaces the condition that exactly the wanted elements match
   * @param surcharge cost to add to that of a selector's conditions
   */
  choose(
    wanted: readonly TreeNode[],
    accepts: Accepts = sameAs(wanted),
    surcharge: (selector: Selector) => number = () => 0,
  ): Choice | undefined {
    return this.#effort.within(STEPS_MAX, (effort) => this.#choose(wanted, accepts, surcharge, effort));
  }

  #choose(
    wanted: readonly TreeNode[],
    accepts: Accepts,
    surcharge: (selector: Selector) => number,
    effort: Effort,
  ): Choice | undefined {
    let best: Choice | undefined;
    let attempts = 0;
    const isRight = this.#testOf(wanted, accepts, effort);
    const attempt = (selector: Selector, price: number) => {
      const cost =
        price + surcharge(selector) + (this.#roots.size === 0 && isNameless(selector) ? NAMELESS : 0);
      if ((best && best.cost <= cost) || attempts > ATTEMPTS_MAX) return;
      attempts += 1;
      if (isRight(selector)) best = { selector, css: cssOf(selector), cost };
    };
    const own = ownCompounds(wanted);
    for (const { compound, cost } of own) attempt([compound], cost);
    this.#withAncestors(wanted, own, attempt, effort);
    return best ?? this.#byPosition(wanted, isRight, effort);
  }

  /** Tells whether a selector matches the right elements. False if the effort is spent before that is known. */
  #testOf(wanted: readonly TreeNode[], accepts: Accepts, effort: Effort) {
    return (selector: Selector): boolean => {
      effort.spend(wanted.length);
      const found = this.#finder.all(selector, effort);
      return found !== undefined && accepts(found);
    };
  }

  /** Tries the conditions of the wanted elements below those of one or two ancestors. */
  #withAncestors(
    wanted: readonly TreeNode[],
    own: readonly PricedCompound[],
    attempt: (selector: Selector, cost: number) => void,
    effort: Effort,
  ): void {
    const levels = ancestorLevels(wanted, this.#roots);
    effort.spend(levels.reduce((sum, { length }) => sum + length, 0));
    const outer = levels.map(ancestorCompounds);
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
  #byPosition(
    wanted: readonly TreeNode[],
    isRight: (selector: Selector) => boolean,
    effort: Effort,
  ): Choice | undefined {
    const [first] = wanted;
    let path: Compound[] = [];
    let cost = 0;
    for (let at = first; at && !this.#roots.has(at) && !effort.isSpent; at = at.parent) {
      const anchor = at === first ? undefined : this.#single(at, effort);
      if (anchor) {
        const selector = [anchor.compound, ...path];
        if (isRight(selector)) return { selector, css: cssOf(selector), cost: anchor.cost + cost };
      }
      const { tag } = at;
      const isNumbered = hasNth(at) && !(at === first && wanted.length > 1);
      const tokens: Token[] = [{ kind: "tag", value: tag }];
      if (isNumbered) tokens.push({ kind: "nth", value: at.nth });
      cost += ANCESTOR + (isNumbered ? NTH : 20);
      const relative = [{ tokens }, ...path];
      if (isRight(relative)) return { selector: relative, css: cssOf(relative), cost };
      path = [{ tokens, isChild: true }, ...path];
    }
    return undefined;
  }

  /** The cheapest compound that only this element matches. */
  #single(node: TreeNode, effort: Effort): PricedCompound | undefined {
    const isRight = this.#testOf([node], sameAs([node]), effort);
    return ownCompounds([node])
      .slice(0, OWN_MAX)
      .find(({ compound }) => isRight([compound]));
  }
}

/** Whether a condition is on the element itself, not on its place or its content. */
const isNaming = (kind: Token["kind"]) => kind !== "nth" && kind !== "has" && kind !== "holds";

/** Whether a selector has no class, id or attribute. */
const isNameless = (selector: Selector) =>
  selector.every(({ tokens }) => tokens.every(({ kind }) => kind === "tag" || !isNaming(kind)));

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
  const isAlone = ({ token }: Priced) => isNaming(token.kind);
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
    .filter(({ token }) => isNaming(token.kind))
    .slice(0, ANCESTOR_MAX)
    .map(({ token, cost }) => ({ compound: { tokens: [token] }, cost }));
