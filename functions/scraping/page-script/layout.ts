/// <reference lib="dom" />
import { HANDLERS, SCRIPTS } from "./static.ts";

/**
 * Layout and painting cost the most of a page that is read only once. Both can be held back; what a page shows to a
 * person needs `release` first.
 */

let heldSheet: CSSStyleSheet | undefined;
let unpaintedSheet: CSSStyleSheet | undefined;

const ownSheets = new WeakSet<CSSStyleSheet>();

/** A style sheet of the engine. */
export function ownSheet(rule: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  ownSheets.add(sheet);
  return sheet;
}

export const isOwnSheet = (sheet: CSSStyleSheet): boolean => ownSheets.has(sheet);

const adopt = (rule: string): CSSStyleSheet => {
  const sheet = ownSheet(rule);
  document.adoptedStyleSheets.push(sheet);
  return sheet;
};
const drop = (sheet: CSSStyleSheet | undefined): void => {
  if (sheet) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
};
/** A frame is laid out and released with its page. */
const isFrame = () => globalThis.top !== globalThis.self;

/** Gives images that are not loaded a size: some pages only load an image, or show a row, where the one before has one. */
export function sizeImages(): void {
  adopt(":where(img[src],img[srcset]){min-width:1px;min-height:1px}");
}

/** Characters of text from which a page is refused. Its layout would take more memory than there is. */
const TEXT_MAX = 16_000_000;
/** The texts that are looked at: there may be very many, and then they are short. */
const TEXTS_MAX = 5_000;

function isTooLarge(): boolean {
  const texts = document.createNodeIterator(document, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let count = 0; count < TEXTS_MAX && length <= TEXT_MAX; count += 1) {
    const text = texts.nextNode();
    if (text === null) return false;
    length += (text as Text).length;
  }
  return length > TEXT_MAX;
}

/**
 * Skips the layout of the document's body while nothing of the document runs a script, which would see that there is none,
 * and its painting in any case. Called before the document is parsed.
 */
export function holdLayout(): void {
  if (isFrame()) return;
  stopPainting();
  heldSheet = adopt(
    `:root:not(:has(${SCRIPTS},${HANDLERS},iframe,frame))>body{content-visibility:hidden!important}`,
  );
  // Before each frame, because a frame lays the page out.
  requestAnimationFrame(holdIfTooLarge);
  document.addEventListener("DOMContentLoaded", holdIfTooLarge);
}

function holdIfTooLarge(): void {
  if (!heldSheet) return;
  if (isTooLarge()) heldSheet.insertRule("body{content-visibility:hidden!important}");
  else if (document.readyState === "loading") requestAnimationFrame(holdIfTooLarge);
}

export const layoutIsHeld = (): boolean => heldSheet !== undefined;

export function releaseLayout(): void {
  drop(heldSheet);
  heldSheet = undefined;
}

/** Lays the page out without painting it. */
export function stopPainting(): void {
  if (unpaintedSheet || isFrame()) return;
  // With opacity on the whole document, the browser would still paint it.
  unpaintedSheet = adopt("body{opacity:0!important}");
}

function resumePainting(): void {
  drop(unpaintedSheet);
  unpaintedSheet = undefined;
}

/** Lets the body fade, for which a page may wait: without painting, it has no opacity that could change. */
export function allowFading(): void {
  const body = unpaintedSheet && document.body;
  if (body && /[1-9]/.test(getComputedStyle(body).transitionDuration)) resumePainting();
}

/** Undoes all that keeps the page from showing what it shows to a person. */
export function release(): void {
  releaseLayout();
  resumePainting();
}
