/// <reference lib="dom" />
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

/** Skips the layout of the document's body. Called before the document is parsed. */
export function holdLayout(): void {
  if (isFrame()) return;
  heldSheet = adopt("body{content-visibility:hidden!important}");
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

/** Undoes all that keeps the page from showing what it shows to a person. */
export function release(): void {
  releaseLayout();
  drop(unpaintedSheet);
  unpaintedSheet = undefined;
}
