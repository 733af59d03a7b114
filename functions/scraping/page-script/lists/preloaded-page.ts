/// <reference lib="dom" />
import type { PreloadedPage } from "../protocol.ts";
import { isStatic } from "../static.ts";

/** A page with a larger state is never preloaded, because its state probably depends on the pages before. */
const STATE_MAX = 10_000;

/**
 * The cookies and the local storage that the page's scripts can use, as a string to compare; "" if the page has no scripts.
 * Null if there is session storage, which other tabs don't have, or if the state is too large to compare.
 */
export function readStorageState(): string | null {
  if (isStatic()) return "";
  try {
    if (window.name !== "" || sessionStorage.length > 0) return null;
    const state = JSON.stringify([document.cookie, Object.entries(localStorage)]);
    return state.length <= STATE_MAX ? state : null;
  } catch {
    // A sandboxed page has no storage.
    return null;
  }
}

/**
 * Keeps this document: cancels its next navigation if that leads to the preloaded page, and if nothing has changed that this
 * page could see.
 * @returns a function that stops this, and returns whether the document was kept
 */
export function keepDocument({ address, storageState }: PreloadedPage): () => boolean {
  let isKept = false;
  const onNavigate = (event: NavigateEvent) => {
    isKept =
      event.destination.url === address &&
      event.cancelable &&
      event.formData === null &&
      !event.defaultPrevented &&
      readStorageState() === storageState;
    if (isKept) event.preventDefault();
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => {
    navigation.removeEventListener("navigate", onNavigate);
    return isKept;
  };
}
