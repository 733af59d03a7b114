/// <reference lib="dom" />
import { importsOf } from "./text/sheet-rules.ts";
import { until } from "./waiting.ts";

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

/** Whether a style sheet waits for one that it imports. One that can't be read may: its element tells when it has loaded. */
function isImporting(sheet: CSSStyleSheet): boolean {
  if (isLate && document.readyState === "complete") return false;
  try {
    return importsOf(sheet.cssRules).some(({ styleSheet }) => styleSheet === null || isImporting(styleSheet));
  } catch {
    return true;
  }
}

function isLoaded(owner: HTMLLinkElement | HTMLStyleElement): boolean {
  const { sheet, media, isConnected } = owner;
  if (finished.has(owner) || !isConnected || media === "print") return true;
  if (sheet === null) return !(owner instanceof HTMLLinkElement) || owner.disabled;
  return !isImporting(sheet);
}

export const stylesAreLoaded = (): boolean =>
  [
    ...document.querySelectorAll<HTMLLinkElement | HTMLStyleElement>("link[rel~=stylesheet][href],style"),
  ].every(isLoaded);

export async function loadedStyles(ms: number): Promise<void> {
  if (!stylesAreLoaded()) await until(stylesAreLoaded, Math.min(STYLES_MAX_MS, Math.max(ms, STYLES_MIN_MS)));
}
