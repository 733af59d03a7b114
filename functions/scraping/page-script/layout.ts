/// <reference lib="dom" />

import { LAYOUT } from "../limits.ts";
import { HANDLERS, SCRIPTS } from "./static.ts";

/**
 * Layout costs the most of a page that is read only once. It can be held back; what a page shows to a person needs
 * `releaseLayout` first.
 */

let heldSheet: CSSStyleSheet | undefined;

const ownSheets = new WeakSet<CSSStyleSheet>();

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

function isTooLarge(): boolean {
  const texts = document.createNodeIterator(document, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let count = 0; count < LAYOUT.texts && length <= LAYOUT.text; count += 1) {
    const text = texts.nextNode();
    if (text === null) return false;
    length += (text as Text).length;
  }
  return length > LAYOUT.text;
}

/**
 * Skips the layout of the document's body while nothing of the document runs a script, which would see that there is none.
 * Called before the document is parsed.
 */
export function holdLayout(): void {
  if (isFrame()) return;
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
