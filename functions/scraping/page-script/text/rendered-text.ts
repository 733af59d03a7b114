/// <reference lib="dom" />

import { generatedText } from "./generated.ts";
import { isNoteMark, isRaised, isRaisedAbove, mayBeRaised, raisedText, SEPARATOR } from "./raised.ts";
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
    [style.left, style.top, style.marginLeft, style.marginTop].some((place) => lengthOf(place) <= OFF_PAGE)
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
export function renderedChildren(element: Element): Iterable<Node> {
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
  /** What stands before the text of the writer. */
  before: string;
  /** The last text that was written, and the separator of decimals that nobody sees behind it. */
  last: { text?: Text | undefined; separator?: string | undefined };
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

/** A text as it reads on the line, after what was written before it. */
function onLine(node: Text, reading: Reading): string {
  const { last, root, writer, isFull } = reading;
  const text = writer.isCollapsing() ? node.data.trimStart() : node.data;
  if (text.trim() === "") return node.data;
  const { text: previous, separator } = last;
  last.text = node;
  last.separator = undefined;
  if (isFull || !previous || !mayBeRaised(previous.data.trimEnd(), text)) return node.data;
  const before = reading.before + writer.soFar();
  if (!/\p{N}$/u.test(before) || !isRaisedAbove(node, previous)) return node.data;
  // The items of a flex box are blocks, but these are one number.
  writer.continueLine();
  const value = root.textContent + before;
  const after = (node.nextSibling ?? node.parentElement?.nextSibling)?.textContent ?? "";
  return raisedText(text, { before, value, after, separator, element: node.parentElement ?? root });
}

/** Notes a text that nobody sees: it may separate the decimals of a number. */
function noteUnseen(text: string, { last }: Reading): void {
  if (SEPARATOR.test(text)) last.separator = text.trim();
}

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
    else if (!(child instanceof Text)) continue;
    else if (isShown) addText(onLine(child, reading), element, style, reading);
    else noteUnseen(child.data, reading);
  }
  if (isShown) addGenerated(element, "::after", reading);
}

/** What stands on a line as one piece, with lines of its own. */
function addAtom(element: Element, style: CSSStyleDeclaration, reading: Reading): void {
  const writer = createLineWriter();
  addContent(element, style, { ...reading, before: reading.before + reading.writer.soFar(), writer });
  const text = writer.soFar().trim();
  reading.writer.atom(isReversed(style) ? reversed(text) : text);
}

function addRaised(element: Element, { root, last, before: outer, writer }: Reading): void {
  const before = outer + writer.soFar();
  const value = root.textContent + before;
  const after = element.nextSibling?.textContent ?? "";
  const text = element.textContent.replace(/\s+/g, " ").trim();
  writer.add(raisedText(text, { before, value, after, separator: last.separator, element }), "collapse");
  last.text = undefined;
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
  if (isLeftOut(element, style, reading)) {
    noteUnseen(element.textContent, reading);
    return;
  }
  const { display } = style;
  if (element.localName === "br") writer.breakLine();
  else if (element.matches(REPLACED)) writer.atom("");
  else if (element.namespaceURI === SVG) addSvg(element, reading);
  else if (element instanceof HTMLSelectElement)
    writer.atom([...element.options].map((option) => option.label.trim()).join("\n"));
  else if (isRaised(element, style) && !isFull) addRaised(element, reading);
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
    before: "",
    last: {},
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
    .map((node) => (node instanceof Text ? node.data : node instanceof Comment ? "" : " "))
    .join("")
    .replace(/[ \t\n\r\f]+/g, " ")
    .trim();

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
    /** Whether white space at the start of what follows collapses. */
    isCollapsing: (): boolean => isCollapsing,
    /** What follows stands on the same line, although a block has ended. */
    continueLine(): void {
      breaks = 0;
    },
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
