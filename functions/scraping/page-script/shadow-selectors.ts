/// <reference lib="dom" />

/**
 * CSS selectors whose combinators cross the boundaries of open shadow roots, as those of Playwright do: the host of a
 * shadow root counts as the parent of what is in it.
 */

/** A part of a selector between two combinators. */
interface Part {
  compound: string;
  /** What stands before it: "" for the first part. */
  combinator: string;
}

const PAIRS: Record<string, string> = { "(": ")", "[": "]" };

/** Where the character that closes a bracket or a quotation stands. */
function closing(text: string, from: number): number {
  const open = text[from] as string;
  const close = PAIRS[open] ?? open;
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === "\\") at += 1;
    else if (char === close) return at;
    else if (close !== open && /["'([]/.test(char)) at = closing(text, at);
  }
  return text.length;
}

/** The parts of each selector in a list of valid selectors. */
export function chainsOf(selector: string): Part[][] {
  const chains: Part[][] = [[]];
  let compound = "";
  let combinator = "";
  const endPart = () => {
    if (compound === "") return;
    chains.at(-1)?.push({ compound, combinator });
    compound = "";
    combinator = "";
  };
  for (let at = 0; at < selector.length; at += 1) {
    const char = selector[at] as string;
    if (char === ",") {
      endPart();
      chains.push([]);
    } else if (/[\s>+~]/.test(char)) {
      endPart();
      if (combinator.trim() === "") combinator = char.trim() || " ";
    } else {
      const last = /["'([]/.test(char) ? closing(selector, at) : at + (char === "\\" ? 1 : 0);
      compound += selector.slice(at, last + 1);
      at = last;
    }
  }
  endPart();
  return chains.filter((chain) => chain.length > 0);
}

const scopedSelectors = new Map<string, string>();

/**
 * The selector of what another one matches below the element that it is evaluated on. Its first part has to match that
 * element or one in it: `querySelector` itself looks for it anywhere around.
 */
export function scoped(selector: string): string {
  const known = scopedSelectors.get(selector);
  if (known !== undefined) return known;
  const chains = chainsOf(selector);
  const isRelative = chains.some(([part]) => part?.combinator !== "");
  // Throws an error that quotes the selector as it was written.
  if (!isRelative) document.createDocumentFragment().querySelector(selector);
  const needsScope = isRelative || chains.some(({ length }) => length > 1);
  const bound = needsScope ? chains.map(withinScope).join(", ") : selector;
  scopedSelectors.set(selector, bound);
  return bound;
}

function withinScope(chain: readonly Part[]): string {
  const [first, ...others] = chain as [Part, ...Part[]];
  const rest = others.map(({ combinator, compound }) => ` ${combinator} ${compound}`).join("");
  if (first.combinator !== "") return `:scope ${first.combinator} ${first.compound}${rest}`;
  const isBound = others.length === 0 || chain.some(({ compound }) => compound.includes(":scope"));
  return `${first.compound}${isBound ? "" : ":is(:scope, :scope *)"}${rest}`;
}

/** The element around another, out of a shadow root, too. */
export const parentOf = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};
const previousOf = (element: Element): Element | null => element.previousElementSibling;

/**
 * Whether an element that matches the last part of a selector has around it what the parts before ask for.
 * @param scope what `:scope` stands for. If it is an element, nothing around it counts
 */
export function fits(
  element: Element,
  chain: readonly Part[],
  scope: Node,
  index = chain.length - 1,
): boolean {
  const { combinator } = chain[index] as Part;
  const before = chain[index - 1];
  if (!before) return true;
  const step = combinator === ">" || combinator === " " ? parentOf : previousOf;
  const isFar = combinator === " " || combinator === "~";
  const isBefore = (at: Element) =>
    before.compound === ":scope" ? at === scope : at.matches(before.compound);
  for (let at = element === scope ? null : step(element); at; at = at === scope ? null : step(at)) {
    if (isBefore(at) && fits(at, chain, scope, index - 1)) return true;
    if (!isFar) return false;
  }
  return false;
}
