/// <reference lib="dom" />
import type { Hold } from "../protocol.ts";
import { isStatic } from "../static.ts";

/** A page that keeps more than this is taken to be about its own past. */
const KEPT_MAX = 10_000;

/**
 * What the page's scripts keep in the browser for the next page, as a text that can be compared; "": the page has no
 * scripts. Null: other tabs don't have all of it, or it is too much to compare.
 */
export function keptState(): string | null {
  if (isStatic()) return "";
  try {
    if (window.name !== "" || sessionStorage.length > 0) return null;
    const kept = JSON.stringify([document.cookie, Object.entries(localStorage)]);
    return kept.length <= KEPT_MAX ? kept : null;
  } catch {
    // A sandboxed page has no storage.
    return null;
  }
}

/**
 * Keeps the document from now on when it is about to go where `hold` says, as long as nothing has changed that the next
 * page could see.
 * @returns ends that, and tells whether the document was kept
 */
export function holdDocument({ address, kept }: Hold): () => boolean {
  let isHeld = false;
  const onNavigate = (event: NavigateEvent) => {
    isHeld =
      event.destination.url === address &&
      event.cancelable &&
      event.formData === null &&
      !event.defaultPrevented &&
      keptState() === kept;
    if (isHeld) event.preventDefault();
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => {
    navigation.removeEventListener("navigate", onNavigate);
    return isHeld;
  };
}
