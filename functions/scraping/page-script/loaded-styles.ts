/// <reference lib="dom" />
import { knownShadowRoots } from "./query.ts";
import { importsOf } from "./text/sheet-rules.ts";
import { waitUntil } from "./waiting.ts";

/** Style sheets decide what is visible: they have to be loaded before text is read. */

/** The shortest and the longest wait for style sheets. */
const STYLES_MIN_MS = 1_000;
const STYLES_MAX_MS = 5_000;

/** The elements whose style sheets have loaded with all that they import, or have failed to. */
const finished = new WeakSet<EventTarget>();

/** Whether some may have loaded before that was noted: a new window is there before its tab is. */
let isLate = false;

/** Starts to note which style sheets load, or fail to. Called once in each document. */
export function watchStyles(): void {
  isLate = document.readyState !== "loading";
  const note = ({ type, target }: Event) => {
    // A link that has only loaded its style sheet ahead has none yet.
    const hasSheet = target !== null && "sheet" in target && target.sheet !== null;
    if (target && (hasSheet || type === "error")) finished.add(target);
  };
  document.addEventListener("load", note, true);
  document.addEventListener("error", note, true);
}

/**
 * Whether a style sheet waits for one that it imports.
 * @param isTold whether an event tells when it has loaded with all of them: one that can't be read has to wait for that
 */
function isImporting(sheet: CSSStyleSheet, isTold: boolean): boolean {
  if (isLate && document.readyState === "complete") return false;
  try {
    return importsOf(sheet.cssRules).some(
      ({ styleSheet }) => styleSheet === null || isImporting(styleSheet, isTold),
    );
  } catch {
    return isTold;
  }
}

/** Whether a style sheet in a shadow root has come, or has failed to: its events stay there. */
const isRequested = ({ href }: HTMLLinkElement): boolean =>
  performance.getEntriesByName(href, "resource").length > 0;

function isLoaded(owner: HTMLLinkElement | HTMLStyleElement): boolean {
  const { sheet, media, isConnected } = owner;
  if (finished.has(owner) || !isConnected || media === "print") return true;
  const isInShadow = owner.getRootNode() !== document;
  if (sheet === null)
    return !(owner instanceof HTMLLinkElement) || owner.disabled || (isInShadow && isRequested(owner));
  return !isImporting(sheet, !isInShadow);
}

export const stylesAreLoaded = (): boolean =>
  [document, ...knownShadowRoots()].every((root) =>
    [...root.querySelectorAll<HTMLLinkElement | HTMLStyleElement>("link[rel~=stylesheet][href],style")].every(
      isLoaded,
    ),
  );

export async function waitForStyles(ms: number): Promise<void> {
  if (!stylesAreLoaded())
    await waitUntil(stylesAreLoaded, Math.min(STYLES_MAX_MS, Math.max(ms, STYLES_MIN_MS)));
}
