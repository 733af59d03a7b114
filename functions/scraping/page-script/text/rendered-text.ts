/// <reference lib="dom" />

import { generatedText } from "./generated.ts";
import { BLOCK_NAMES } from "./text-by-rules.ts";

/**
 * The text of an element as a person sees it, from the tree that the page renders: with what style rules and components
 * show, without what only screen readers tell and what only annotates. docs/scrapers.md defines it.
 *
 * It is slower than `innerText`, and agrees with it where none of that matters.
 */

const SVG = "http://www.w3.org/2000/svg";
/** What is never text. */
const NO_TEXT = "script,style,template,noscript,head,datalist,rp,rt,annotation,annotation-xml";
const NO_TEXT_FULL = "script,style,template,noscript,head,datalist,rp";
/** Elements whose content is a replacement for something that they show. */
const REPLACED = "img,input,textarea,video,audio,iframe,embed,canvas,progress,meter";
const BLOCK = /^(block|flex|grid|table|list-item|flow-root|table-caption|-webkit-box)$/;
const INLINE_BLOCK = /^inline-(block|flex|grid|table|flow-root)$/;

/** How far off the page, in pixels, a text is for screen readers alone. */
const OFF_PAGE = -999;
const lengthOf = (value: string): number => Number.parseFloat(value);

/** Whether nobody sees an element, although it is rendered: it is for screen readers. */
export function isCutOff(style: CSSStyleDeclaration): boolean {
  if (lengthOf(style.textIndent) <= OFF_PAGE) return true;
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = /^rect\(/.test(style.clip)
    ? style.clip.slice(5).split(/[ ,]+/).map(lengthOf)
    : [0, 9, 9, 0];
  return (
    bottom - top <= 1 ||
    right - left <= 1 ||
    /^inset\((?:[5-9]\d|100)/.test(style.clipPath) ||
    (/hidden|clip/.test(style.overflow) && (lengthOf(style.width) <= 1 || lengthOf(style.height) <= 1)) ||
    lengthOf(style.left) <= OFF_PAGE ||
    lengthOf(style.top) <= OFF_PAGE
  );
}

/** Whether a text is written in one direction and shown in the other: some sites hide addresses from scripts so. */
export const isReversed = ({ unicodeBidi, direction }: CSSStyleDeclaration): boolean =>
  direction === "rtl" && unicodeBidi.includes("override");

const reversed = (text: string): string =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    .reverse()
    .join("");

/** The children of an element as they are rendered: what components put in their places included. */
function renderedChildren(element: Element): Iterable<Node> {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    return assigned.length > 0 ? assigned : element.childNodes;
  }
  if (element instanceof HTMLDetailsElement && !element.open)
    return [...element.children].filter((child) => child.localName === "summary").slice(0, 1);
  return element.childNodes;
}

interface Reading {
  root: Element;
  /** Whether hidden parts count, too. */
  isFull: boolean;
  /** Whether the element is hidden itself, which then says nothing about its parts. */
  isHidden: boolean;
  /** Whether labels for screen readers, marks of footnotes and old versions count, too. */
  keepsAsides: boolean;
  /** Whether the text has a new version beside the one that is struck out. */
  isEdited: boolean;
  writer: ReturnType<typeof createLineWriter>;
}

function transformed(text: string, { textTransform }: CSSStyleDeclaration, lang: string | undefined): string {
  if (textTransform === "uppercase") return text.toLocaleUpperCase(lang);
  if (textTransform === "lowercase") return text.toLocaleLowerCase(lang);
  if (textTransform !== "capitalize") return text;
  return text.replace(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (letter) => letter.toLocaleUpperCase(lang));
}

const langOf = (element: Element): string | undefined => {
  const lang = element.closest("[lang]")?.getAttribute("lang");
  return lang && /^[a-z]{2,3}(-|$)/i.test(lang) ? lang.slice(0, 2) : undefined;
};

function addText(text: string, element: Element, style: CSSStyleDeclaration, { writer }: Reading): void {
  // What is in no slot has no styles.
  const isMasked = !/^(?:none)?$/.test(style.getPropertyValue("-webkit-text-security"));
  const shown = isMasked ? text.replace(/\S| /gu, "•") : transformed(text, style, langOf(element));
  writer.add(shown, style.getPropertyValue("white-space-collapse"));
}

/** Whether a part of a text does not count. */
function isLeftOut(element: Element, style: CSSStyleDeclaration, reading: Reading): boolean {
  if (element.matches(reading.isFull ? NO_TEXT_FULL : NO_TEXT)) return true;
  if (reading.isFull) return false;
  if (style.display === "none") return true;
  if (style.getPropertyValue("content-visibility") === "hidden" && style.display !== "inline") return true;
  if (reading.keepsAsides) return false;
  return (
    (reading.isEdited && element.localName === "del") ||
    isCutOff(style) ||
    (isRaised(element, style) && isNoteMark(element))
  );
}

const isRaised = (element: Element, style: CSSStyleDeclaration): boolean =>
  element.localName === "sup" || style.verticalAlign === "super";

function addGenerated(element: Element, pseudo: "::before" | "::after", reading: Reading): void {
  const generated = generatedText(element, pseudo);
  if (!generated || (!reading.isFull && isCutOff(generated.style))) return;
  const breaks = BLOCK.test(generated.style.display) ? 1 : 0;
  if (breaks > 0) reading.writer.block(breaks);
  addText(generated.text, element, generated.style, reading);
  if (breaks > 0) reading.writer.block(breaks);
}

function addContent(element: Element, style: CSSStyleDeclaration, reading: Reading): void {
  const isShown = reading.isFull || reading.isHidden || style.visibility === "visible";
  if (isShown) addGenerated(element, "::before", reading);
  for (const child of reading.isFull && element instanceof HTMLDetailsElement
    ? element.childNodes
    : renderedChildren(element)) {
    if (child instanceof Element) addElement(child, reading);
    else if (child instanceof Text && isShown) addText(child.data, element, style, reading);
  }
  if (isShown) addGenerated(element, "::after", reading);
}

/** What stands on a line as one piece, with lines of its own. */
function addAtom(element: Element, style: CSSStyleDeclaration, reading: Reading): void {
  const writer = createLineWriter();
  addContent(element, style, { ...reading, writer });
  const text = writer.soFar().trim();
  reading.writer.atom(isReversed(style) ? reversed(text) : text);
}

function addSvg(element: Element, reading: Reading): void {
  const texts = [...element.querySelectorAll("text")].map((text) =>
    text.textContent.replace(/\s+/g, " ").trim(),
  );
  reading.writer.atom(texts.join("\n"));
}

const hasLater = (element: Element, display: RegExp): boolean => {
  for (let at = element.nextElementSibling; at; at = at.nextElementSibling)
    if (display.test(getComputedStyle(at).display)) return true;
  return false;
};

const ROW_GROUP = /^table-(row|header|footer)-group$/;

function isLastRow(row: Element): boolean {
  const group = row.parentElement;
  const isInGroup = group !== null && ROW_GROUP.test(getComputedStyle(group).display);
  return !hasLater(row, /^table-row/) && !(isInGroup && hasLater(group, ROW_GROUP));
}

/** The line breaks that an element asks for before and after it. The style of a hidden one does not tell. */
function breaksAround({ localName }: Element, { display, float }: CSSStyleDeclaration): number {
  const isBlock =
    BLOCK.test(display) || float !== "none" || (display === "none" && BLOCK_NAMES.has(localName));
  return !isBlock ? 0 : localName === "p" ? 2 : 1;
}

function addElement(element: Element, reading: Reading): void {
  const { writer, isFull } = reading;
  const style = getComputedStyle(element);
  if (isLeftOut(element, style, reading)) return;
  const { display } = style;
  if (element.localName === "br") writer.breakLine();
  else if (element.matches(REPLACED)) writer.atom("");
  else if (element.namespaceURI === SVG) addSvg(element, reading);
  else if (element instanceof HTMLSelectElement)
    writer.atom([...element.options].map((option) => option.label.trim()).join("\n"));
  else if (isRaised(element, style) && !isFull)
    writer.add(
      raisedText(element, { before: writer.soFar(), value: reading.root.textContent + writer.soFar() }),
      "collapse",
    );
  else if (INLINE_BLOCK.test(display) || (isReversed(style) && !isFull)) addAtom(element, style, reading);
  else if (display === "table-cell") {
    addContent(element, style, reading);
    if (hasLater(element, /^table-cell$/)) writer.separate("\t");
  } else if (display === "table-row") {
    addContent(element, style, reading);
    if (!isLastRow(element)) writer.separate("\n");
  } else {
    const breaks = breaksAround(element, style);
    if (breaks > 0) writer.block(breaks);
    addContent(element, style, reading);
    if (breaks > 0) writer.block(breaks);
  }
}

function textOf(root: Element, way: Pick<Reading, "isFull" | "keepsAsides">): string {
  const style = getComputedStyle(root);
  const reading = {
    ...way,
    root,
    isHidden: style.visibility !== "visible",
    isEdited: root.querySelector("ins") !== null && root.querySelector("del") !== null,
    writer: createLineWriter(),
  };
  addContent(root, style, reading);
  const text = reading.writer.soFar().trim();
  return isReversed(style) && !way.isFull ? reversed(text) : text;
}

/** The text of an element as it shows once the element itself is shown. What is all of it is no aside. */
export const renderedText = (element: Element): string =>
  textOf(element, { isFull: false, keepsAsides: false }) ||
  textOf(element, { isFull: false, keepsAsides: true });

/** All text of an element, its hidden parts included. */
export const fullText = (element: Element): string => textOf(element, { isFull: true, keepsAsides: true });

/** The text that stands in an element itself, without that of the elements in it. */
export const ownText = (element: Element): string =>
  [...element.childNodes]
    .map((node) => (node instanceof Text ? node.data : " "))
    .join("")
    .replace(/[ \t\n\r\f]+/g, " ")
    .trim();

/** Raised digits, which say something else once they stand on the line: 19⁹⁹ is a price, 10⁶ a power. */

const RAISED: Record<string, string> = {
  ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((raised, digit) => [String(digit), raised])),
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
};
const CURRENCY =
  /\p{Sc}|(?<!\p{L})(?:kr|zł|Kč|CHF|EUR|USD|GBP|CAD|AUD|PLN|CZK|SEK|NOK|DKK|lei|Ft|руб)(?!\p{L})/iu;

/** Whether an element refers to a footnote: it has nothing but links to places on its page. */
function isNoteMark(element: Element): boolean {
  const links = element.matches("a") ? [element] : [...element.querySelectorAll("a")];
  const isNote = (link: Element) => link.matches("[href^='#'],[role=doc-noteref]");
  return (
    links.length > 0 &&
    links.every(isNote) &&
    links.reduce((length, link) => length + link.textContent.trim().length, 0) ===
      element.textContent.trim().length
  );
}

function decimalSeparator(element: Element, before: string): string {
  const [, thousands] = /([.,'’])\d{3}$/.exec(before) ?? [];
  if (thousands !== undefined) return thousands === "." ? "," : ".";
  try {
    const parts = new Intl.NumberFormat(
      element.closest("[lang]")?.getAttribute("lang") || "en",
    ).formatToParts(1.5);
    return parts.find(({ type }) => type === "decimal")?.value ?? ".";
  } catch {
    return ".";
  }
}

/**
 * Raised text as it reads on the line: the cents of a price after a decimal separator, other digits as raised characters.
 * @param before what stands before it
 * @param value all of the value that it is a part of, to tell a price
 */
function raisedText(element: Element, { before, value }: { before: string; value: string }): string {
  const text = element.textContent.replace(/\s+/g, " ").trim();
  const after = element.nextSibling?.textContent ?? "";
  const isAfterDigit = /\p{N}$/u.test(before);
  if (/^\d+$/.test(text) && /^\s*[⁄/]/.test(after)) return isAfterDigit ? ` ${text}` : text;
  if (/^\d\d$/.test(text) && isAfterDigit && CURRENCY.test(value))
    return `${decimalSeparator(element, before)}${text}`;
  if (!/^[+−-]?\d+$/.test(text) || !/[\p{L}\p{N})\]]$/u.test(before)) return text;
  return [...text].map((char) => RAISED[char]).join("");
}

/** Puts a text together as layout does: with collapsed white space, and with the line breaks that blocks ask for. */
function createLineWriter() {
  let text = "";
  let breaks = 0;
  /** Whether a space is due before the next text of the line. */
  let hasSpace = false;
  /** Whether white space at the start of what follows collapses: after a space, or at the start of a line. */
  let isCollapsing = true;
  const begin = () => {
    if (breaks > 0 && text !== "") text += "\n".repeat(breaks);
    breaks = 0;
    if (hasSpace) text += " ";
    hasSpace = false;
  };
  const startLine = () => {
    hasSpace = false;
    isCollapsing = true;
  };
  const write = (part: string) => {
    begin();
    text += part;
    isCollapsing = false;
  };
  const addLine = (line: string) => {
    const words = line.replace(/[ \t\n\r\f]+/g, " ");
    if (words.startsWith(" ") && !isCollapsing) hasSpace = true;
    const inner = words.replace(/^ | $/g, "");
    if (inner === "") {
      isCollapsing ||= hasSpace;
      return;
    }
    write(inner);
    hasSpace = words.endsWith(" ");
    isCollapsing = hasSpace;
  };
  const breakLine = () => {
    startLine();
    begin();
    text += "\n";
  };
  return {
    /** Inline text. @param collapse the computed `white-space-collapse` */
    add(part: string, collapse: string): void {
      if (collapse === "collapse") addLine(part);
      else if (collapse === "preserve-breaks")
        for (const [index, line] of part.split("\n").entries()) {
          if (index > 0) breakLine();
          addLine(line);
        }
      else if (part !== "") write(part);
    },
    breakLine,
    /** Where a block begins or ends: at least so many line breaks before the next text. */
    block(count: number): void {
      startLine();
      breaks = Math.max(breaks, count);
    },
    /** What stands on a line like one character: white space on both sides of it stays. */
    atom: write,
    /** What separates the cells or rows of a table. */
    separate(part: string): void {
      startLine();
      begin();
      text += part;
    },
    /** What was written so far, as a text that follows would see it. */
    soFar: (): string => text + (hasSpace ? " " : ""),
  };
}
