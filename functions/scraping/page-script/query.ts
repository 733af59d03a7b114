/// <reference lib="dom" />

import { isJson } from "./json/protocol.ts";
import { jsonNodes } from "./json/reader.ts";

type Root = Document | Element | ShadowRoot;

/** Elements that can't have a shadow root: most of a page, and quick to exclude. */
const MAYBE_HOSTS =
  ":not(td,tr,a,li,b,i,img,option,path,svg,ul,g,use,br,dd,dt,dl,em,strong,label,input,button,small,th,script,link,meta," +
  "source,picture,select,style,time,abbr,code,sub,sup,font,u,figure,figcaption,form,iframe,ol,table,tbody,thead,tfoot," +
  "textarea,pre,hr,rect,circle,fieldset,legend,optgroup,caption,col,colgroup,title,head,html)";

export function shadowRootsBelow(root: Root): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  if (root instanceof Element && root.shadowRoot) found.push(root.shadowRoot);
  for (const element of root.querySelectorAll(MAYBE_HOSTS))
    if (element.shadowRoot) found.push(element.shadowRoot);
  return found;
}

/** Whether the document had shadow roots at the last search, which is slow on large pages. */
let hasShadowRoots: boolean | undefined;

/** Makes the next `all` search for shadow roots again. */
export function forgetShadowRoots(): void {
  hasShadowRoots = undefined;
}

/** The shadow roots of the document, unless the last search found none. */
export function knownShadowRoots(): ShadowRoot[] {
  hasShadowRoots ??= shadowRootsBelow(document).length > 0;
  return hasShadowRoots ? [...allShadowRootsBelow(document)] : [];
}

function css(root: Root, selector: string): Element[] {
  const found = Array.from(root.querySelectorAll(root instanceof Element ? scoped(selector) : selector));
  if (root === document && found.length > 0) {
    hasShadowRoots ??= shadowRootsBelow(document).length > 0;
    if (!hasShadowRoots) return found;
  }
  const shadows = [...allShadowRootsBelow(root)];
  if (root === document) hasShadowRoots = shadows.length > 0;
  if (shadows.length === 0) return found;
  const ends = chainsOf(selector).map((chain) => ({ chain, end: chain.at(-1)?.compound ?? "*" }));
  for (const shadow of shadows) {
    for (const { chain, end } of ends)
      for (const element of shadow.querySelectorAll(end)) if (fits(element, chain, root)) found.push(element);
  }
  return inDocumentOrder(found);
}

function* allShadowRootsBelow(root: Root): Generator<ShadowRoot> {
  for (const shadow of shadowRootsBelow(root)) {
    yield shadow;
    yield* allShadowRootsBelow(shadow);
  }
}

/** Document order, where the content of a shadow root stands where its host does. */
function inDocumentOrder(elements: Element[]): Element[] {
  const pathOf = (element: Element): Element[] => {
    const steps = [element];
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
      steps.unshift(root.host);
    }
    return steps;
  };
  const paths = new Map(elements.map((element) => [element, pathOf(element)]));
  const compare = (a: Element, b: Element): number => {
    const left = paths.get(a) ?? [];
    const right = paths.get(b) ?? [];
    for (let depth = 0; depth < left.length && depth < right.length; depth += 1) {
      const one = left[depth] as Element;
      const other = right[depth] as Element;
      if (one === other) continue;
      return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    }
    return left.length - right.length;
  };
  return [...new Set(elements)].sort(compare);
}

/** An XPath that looks below its context node also where it begins with a slash. Within predicates, it stays as it is. */
function relative(path: string): string {
  let depth = 0;
  let inside = "";
  for (const token of path.match(/"[^"]*"|'[^']*'|[[\]]|[^"'[\]]+/g) ?? []) {
    if (token === "[") depth += 1;
    if (token === "]") depth -= 1;
    const start = inside === "" ? /(^|[(|,])(\s*)(?=\/)/g : /([(|,])(\s*)(?=\/)/g;
    inside += depth === 0 ? token.replace(start, "$1$2.") : token;
  }
  return inside;
}

/** The nodes below a root that an XPath selector matches, in document order. */
function xpath(root: Root, path: string): Node[] {
  const page = root instanceof Document ? root : root.ownerDocument;
  const inside = root instanceof Document ? path : relative(path);
  const result = page.evaluate(inside, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  return Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index) as Node);
}

const pathOf = (selector: string): string | undefined =>
  /^\s*(?:xpath=|(?=\.?\.?\/|\.\.|\())([\s\S]+)$/.exec(selector)?.[1];

/**
 * Nodes below a root that a CSS or XPath selector matches, in document order, open shadow roots included; or elements for
 * values of JSON.
 */
export function nodes(root: Root, selector: string): Node[] {
  if (isJson(selector)) return jsonNodes(root, selector, nodes);
  const path = pathOf(selector);
  return path === undefined ? css(root, selector.replace(/^\s*css=/, "")) : xpath(root, path);
}

/** The same for elements. @throws Error if the selector only matches attributes or texts */
export function all(root: Root, selector: string): Element[] {
  const found = nodes(root, selector);
  const elements = found.filter((node) => node instanceof Element);
  if (elements.length === 0 && found.length > 0) throw new Error(`Not elements: '${pathOf(selector)}'`);
  return elements;
}

export const exists = (selector: string): boolean =>
  (pathOf(selector) === undefined &&
    !isJson(selector) &&
    document.querySelector(selector.replace(/^\s*css=/, "")) !== null) ||
  all(document, selector).length > 0;

export const first = (selector: string): Element | null => all(document, selector)[0] ?? null;

/** The frame that a selector names. One that loads only near the view is asked to load, and is not there before that. */
export function frameElement(selector: string): Element | null {
  const frame = first(selector);
  if (!(frame instanceof HTMLIFrameElement) || frame.loading !== "lazy") return frame;
  frame.loading = "eager";
  return null;
}

/*
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
function chainsOf(selector: string): Part[][] {
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
function fits(element: Element, chain: readonly Part[], scope: Node, index = chain.length - 1): boolean {
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
