/// <reference lib="dom" />

import { portion } from "../answers.ts";
import { bare, candidatesNamed, normalize } from "../controls.ts";
import { isJson } from "../json/protocol.ts";
import { jsonValue } from "../json/reader.ts";
import { beginRows, nodesOf, withEnds } from "../lists/field-nodes.ts";
import { contentOf, fullContentOf } from "../lists/row-identity.ts";
import { wantTexts, withoutHeads } from "../lists/rows.ts";
import { uncertainCells } from "../lists/table-columns.ts";
import { addressed, fieldValue, kindOf, resolved, type ValueReader, writtenIn } from "../lists/values.ts";
import { isOff, targetOf } from "../press.ts";
import type { Control, FieldRequest, Json } from "../protocol.ts";
import { nodes } from "../query.ts";
import { isStatic } from "../static.ts";
import { ownText } from "../text/rendered-text.ts";
import {
  type Effects,
  effectsOf,
  MARKED_BY_NAME,
  PLAIN,
  readSheets,
  unreadSheets,
} from "../text/style-rules.ts";
import { createRuleReader } from "../text/text-by-rules.ts";
import {
  BrowserRequired,
  baseOf,
  type HtmlAnswer,
  type HtmlPage,
  type HtmlRequest,
  parseHtml,
} from "./parse-html.ts";

/** Elements that scripts define or fill. */
const hasUnknown = (row: Element): boolean =>
  [row, ...row.querySelectorAll("*")].some(
    ({ localName }) => localName.includes("-") || localName === "slot" || localName === "template",
  );

const select = (page: Document, selector: string): Element[] =>
  isJson(selector)
    ? (nodes(page, selector) as Element[])
    : [...page.querySelectorAll(selector.replace(/^\s*css=/, ""))];

interface Reading {
  reader: HtmlReader;
  base: string;
}

/** Attributes that are no more than what the property of that name began with. */
const STATES = /^(?:value|checked|selected)$/;

function cellOf(element: Element, field: FieldRequest, reading: Reading): string | null {
  const value = jsonValue(element);
  return addressed(value === undefined ? plainValue(element, field, reading) : value, field, reading.base);
}

function plainValue(element: Element, field: FieldRequest, { reader, base }: Reading): string | null {
  const kind = kindOf(field);
  if (kind === "text") return reader.text(element);
  if (kind === "own_text") return ownText(element);
  const { attribute = "" } = field;
  if (STATES.test(attribute) && attribute in element)
    throw new BrowserRequired("only the browser knows the state of its form controls");
  const written = writtenIn(element, attribute, base);
  if (written === null) return null;
  const address = resolved(written, attribute, base);
  // Other encodings than UTF-8 write such characters in another way.
  if (address !== undefined && /[^\0-\x7f]/.test(written) && document.characterSet !== "UTF-8")
    throw new BrowserRequired("its encoding decides what an address says");
  return address ?? written;
}

/** The rows of a list, and the values of each. */
function readRows(page: Document, selector: string, fields: readonly FieldRequest[], reading: Reading) {
  const found = select(page, selector);
  const hasColumns = fields.some(({ column }) => column !== undefined);
  const rows = hasColumns ? withoutHeads(found) : found;
  if (rows.length === 0) throw new BrowserRequired("its HTML has no rows");
  if (wantTexts(fields) && rows.some((row) => !/\S/.test(row.textContent)))
    throw new BrowserRequired("its HTML has rows without text");
  if (rows.some(hasUnknown)) throw new BrowserRequired("its rows have elements that scripts fill");
  if (hasColumns && uncertainCells(rows).some((cell) => reading.reader.mayHide(cell)))
    throw new BrowserRequired("cells of its table may not be displayed");
  beginRows([]);
  const read: ValueReader = (node, field) => cellOf(node as Element, field, reading);
  const cells = rows.map((row) => fields.map((field) => fieldValue(nodesOf(row, field), field, read)));
  return { rows, cells };
}

/** The values of the whole page, as its only row. */
function readFields(page: Document, fields: readonly FieldRequest[], reading: Reading) {
  const values = fields.map((field) => {
    const selector = field.list?.selector ?? field.selector;
    const elements = selector === undefined ? [page.documentElement] : select(page, selector);
    return fieldValue(elements, field, (node, field) => {
      if (hasUnknown(node as Element))
        throw new BrowserRequired("its fields have elements that scripts fill");
      return cellOf(node as Element, field, reading);
    });
  });
  return { rows: [], cells: [values] };
}

function read(request: HtmlRequest): HtmlPage {
  const { url, selector, until, control } = request;
  const { fields } = selector === undefined ? request : withEnds({ selector, until, fields: request.fields });
  if (matchMedia("(scripting: none)").matches)
    throw new BrowserRequired("the site allows its pages no scripts");
  const page = parseHtml(request);
  const base = baseOf(page, url);
  const reader = createHtmlReader(page);
  const read =
    selector === undefined
      ? readFields(page, fields, { reader, base })
      : readRows(page, selector, fields, { reader, base });
  const rows: Element[] = read.rows;
  const { cells, rest, oversize } = portion(read.cells);
  if (rest > 0 || oversize) throw new BrowserRequired("its rows are too large");
  const inert = isInert(page);
  return {
    cells,
    content: fullContentOf(rows, fields, cells),
    texts: contentOf(rows, fields),
    target: control ? nextAddress(page, { control, rows: new Set(rows), reader, url, base }) : null,
    sheets: sheetsOf(page, base),
    isInert: inert,
    words: inert ? [] : wordsOf(page, base),
  };
}

/**
 * Reads a list, or the fields of the whole page, from the HTML of a page as the browser would show it, next to a page of
 * the same site that is open.
 */
export function readHtml(request: HtmlRequest): Json<HtmlAnswer> {
  let answer: HtmlAnswer;
  try {
    answer = read(request);
  } catch (error) {
    const { message, sheets } =
      error instanceof BrowserRequired ? error : new BrowserRequired(`its HTML can't be read (${error})`);
    answer = { browserRequired: message, sheets };
  }
  return JSON.stringify(answer);
}

/** What the markup of a page consists of, to tell whether scripts and style sheets treat another page alike. */

/** Scripts of these types hold data, and do nothing. */
const DATA = /^application\/(ld\+)?json$/i;

/** Numbers in names count things: `post-17` is as good as `post-18`. */
const unnumbered = (text: string) => text.replace(/\d+/g, "#");

const attributesOf = (element: Element, base: string): string[] =>
  [...element.attributes].flatMap(({ name, value }) => {
    if (name === "nonce") return [];
    const isAddress = name === "href" || name === "src";
    return `${name}=${isAddress ? (URL.parse(value, base)?.href ?? value) : value}`;
  });

/** All style sheets of a document, and what it allows them, in order. `base` is what relative addresses start from. */
const sheetsOf = (page: Document, base: string): string =>
  [...page.querySelectorAll("link[rel~=stylesheet i],style,meta[http-equiv=content-security-policy i]")]
    .map((element) => [element.localName, ...attributesOf(element, base), element.textContent].join(" "))
    .join("\n");

const scriptsOf = (page: Document): Element[] =>
  [...page.querySelectorAll("script")].filter(({ type }) => !DATA.test(type.trim()));

/** Whether a document has an attribute that holds a script. */
const hasHandlers = (page: Document): boolean =>
  page.evaluate("boolean(//@*[starts-with(name(), 'on')])", page, null, XPathResult.BOOLEAN_TYPE)
    .booleanValue;

/** Whether no script can have a part in what a page shows, and the page that is open has none either. */
const isInert = (page: Document): boolean =>
  isStatic() &&
  scriptsOf(page).length === 0 &&
  page.querySelector("iframe,frame,object,embed") === null &&
  !hasHandlers(page);

/**
 * What scripts may look for in a document: its scripts themselves, and the names of all its elements, attributes,
 * classes and ids.
 */
function wordsOf(page: Document, base: string): string[] {
  const words = new Set<string>();
  const scripts = scriptsOf(page).map((script) =>
    [...attributesOf(script, base), script.textContent].join(" "),
  );
  words.add(`scripts ${scripts.join("\n")}`);
  for (const element of page.querySelectorAll("*")) {
    words.add(element.localName);
    for (const { name, value } of element.attributes) {
      words.add(`@${unnumbered(name)}`);
      if (name === "class") for (const token of element.classList) words.add(`.${unnumbered(token)}`);
      else if (name === "id") words.add(`#${unnumbered(value)}`);
      else if (name.startsWith("on")) words.add(`${name}=${unnumbered(value)}`);
    }
  }
  return [...words];
}

/** Where the control of a list leads, in the HTML of a page. */

/** Links that do more than lead to another page, or do so without saying where from. */
const SPECIAL = "[download],[referrerpolicy],[rel~=noreferrer i]";

interface NextLinkOptions {
  control: Control;
  rows: ReadonlySet<Element>;
  reader: Pick<HtmlReader, "isShown">;
  /** The address of the page, and the one that relative addresses start from. */
  url: string;
  base: string;
}

/** The elements that may be the control; those with its exact name, if it is told by its name. */
function candidates(page: Document, { control, rows }: NextLinkOptions): Element[] {
  const isInRow = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) if (rows.has(at)) return true;
    return false;
  };
  if (control.selector !== undefined) {
    const found = [...page.querySelectorAll(control.selector.replace(/^\s*css=/, ""))];
    return found.some(isInRow) ? [] : found;
  }
  const wanted = normalize(control.name ?? "");
  const named = candidatesNamed(wanted, page).filter(({ element }) => !isInRow(element));
  const exact = named.filter(({ names }) => names.includes(wanted));
  const fitting =
    exact.length > 0 ? exact : named.filter(({ names }) => names.some((name) => bare(name) === bare(wanted)));
  return fitting.map(({ element }) => element);
}

/** The link that a press of an element follows, if that is certain. */
function linkOf(element: Element): Element | null {
  if (element.localName === "link") return element;
  return isOff(element) ? null : targetOf(element).closest("a[href]");
}

function addressOf(link: Element, { url, base }: NextLinkOptions): string | null {
  const target = URL.parse(link.getAttribute("href") ?? "", base);
  if (!target || link.matches(SPECIAL) || target.hash !== "" || target.username !== "") return null;
  const isOther = target.href !== url.split("#")[0];
  return isOther && target.origin === new URL(url).origin ? target.href : null;
}

/**
 * The address that the control of a list leads to, on the same site; null where there is none, or where anything else
 * may happen than that this address is opened.
 */
function nextAddress(page: Document, options: NextLinkOptions): string | null {
  const found = candidates(page, options);
  const links = found.map(linkOf);
  const addresses = new Set(links.map((link) => link && addressOf(link, options)));
  const [address = null] = addresses;
  if (addresses.size !== 1 || address === null) return null;
  const isHead = found.length === 1 && found[0]?.localName === "link";
  return isHead || found.some((element) => options.reader.isShown(element)) ? address : null;
}

type HtmlReader = ReturnType<typeof createHtmlReader>;

/**
 * Reads the HTML of a page by the style sheets of the page that is open.
 * @throws BrowserRequired where the style sheets can't be read
 */
function createHtmlReader(page: Document) {
  const suspects = readSheets();
  if (!suspects) throw new BrowserRequired("its style sheets can't be read", { sheets: unreadSheets() });
  const styled = [...page.querySelectorAll("[style]")].map(
    (element) => [element, element instanceof HTMLElement ? effectsOf(element.style) : undefined] as const,
  );
  const matching = (selectors: readonly string[], effects: readonly (keyof Effects)[]): Set<Element> => {
    try {
      const found = page.querySelectorAll([MARKED_BY_NAME, ...selectors.map(widened)].join(","));
      const others = styled.filter(([, own]) => !own || effects.some((effect) => own[effect]));
      return new Set([...found, ...others.map(([element]) => element)]);
    } catch {
      throw new BrowserRequired("a selector of its style sheets can't be evaluated");
    }
  };
  const own = matching(suspects.own, ["own"]);
  const inside = matching(suspects.inside, ["own", "inside"]);
  const inlined = matching(suspects.inlined, ["inlined"]);
  const hiding = matching([...suspects.hiding, ...suspects.inert], ["hiding", "inert"]);
  const generated = matching(suspects.generated, []);
  const reader = createRuleReader({ own, inside, generated }, page);
  /** The title of a page is not shown, so its text is what it holds. */
  const titleOf = (element: Element) =>
    element.localName === "title" && !inside.has(element) && element.parentElement === page.head
      ? element.textContent.trim()
      : undefined;
  return {
    /** The text of an element as the page shows it. @throws BrowserRequired where style rules may change it */
    text(element: Element): string {
      const text =
        element instanceof HTMLElement
          ? (reader.text(element) ?? reader.blocks(element, inlined) ?? titleOf(element))
          : undefined;
      if (text === undefined)
        throw new BrowserRequired(`the text of an element <${element.localName}> depends on its layout`);
      return text;
    },
    /** Whether an element is certainly visible and takes clicks. */
    isShown(element: Element): boolean {
      let at: Node | null = element;
      while (at instanceof Element && PLAIN.has(at.localName) && !hiding.has(at)) at = at.parentNode;
      return at === page;
    },
    /** Whether a style rule may hide an element itself. */
    mayHide: (element: Element): boolean => hiding.has(element),
  };
}

/** Selectors whose matches are the same in the HTML of a page and in the page. */

/** Pseudo-classes that only depend on the markup. */
const BY_MARKUP =
  /^(first|last|only)-(child|of-type)$|^nth-(last-)?(child|of-type)$|^(not|is|where|has|root|empty|link|any-link|scope|defined|disabled|enabled|required|optional|-webkit-any)$/;
const PSEUDO_CLASS = /(?<!:):([\w-]+)(\([^()]*\))?/g;
/** Quoted texts and escapes, in which a colon starts nothing. */
const QUOTED = /"[^"]*"|'[^']*'|\\./g;

const pseudoClasses = (selector: string): string[] =>
  [...selector.replace(QUOTED, "").matchAll(/(?<!:):([\w-]+)/g)].map(([, name]) =>
    (name as string).toLowerCase(),
  );

/** Whether a selector depends on nothing but the markup. */
export const isByMarkup = (selector: string): boolean =>
  pseudoClasses(selector).every((name) => BY_MARKUP.test(name));

/**
 * A selector that matches whatever another one may ever match, such as `a` for `a:hover`. A pseudo-element matches
 * nothing, so it stays.
 */
export function widened(selector: string): string {
  if (isByMarkup(selector)) return selector;
  // What must not match, or is counted, can't be widened in parts.
  if (/:not\(|\sof\s|\\|["']/i.test(selector)) return "*";
  const wide = selector.replace(PSEUDO_CLASS, (whole, name: string) =>
    BY_MARKUP.test(name.toLowerCase()) ? whole : ":is(*)",
  );
  return isByMarkup(wide) ? wide : "*";
}
