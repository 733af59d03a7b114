import { signal } from "@preact/signals";

/*
 * Who is signed in. The API key is in sessionStorage: it ends with the tab, no other origin can read it, and browsers
 * never send it by themselves, as they would a cookie.
 */

const STORED = "gleaner.key";
const IN_FRAGMENT = "#key=";

/** The API key; null: nobody is signed in. */
export const apiKey = signal<string | null>(null);
/** Why somebody who was signed in is not any more. */
export const signedOutBecause = signal<string | null>(null);

/**
 * Takes the key from the address, or the one of this tab. A key in the address is removed from it, and from the history,
 * before anything is shown.
 */
export function restoreSession(): void {
  takeFromAddress();
  apiKey.value ??= sessionStorage.getItem(STORED);
  // A link with a key that is opened in a tab with the console changes only the fragment.
  addEventListener("hashchange", takeFromAddress);
}

function takeFromAddress(): void {
  if (!location.hash.startsWith(IN_FRAGMENT)) return;
  const key = decodeURIComponent(location.hash.slice(IN_FRAGMENT.length)).trim();
  history.replaceState(null, "", location.pathname + location.search);
  if (key !== "") signIn(key);
}

export function signIn(key: string): void {
  sessionStorage.setItem(STORED, key);
  signedOutBecause.value = null;
  apiKey.value = key;
}

/** `because`: what the sign-in page says; null if the person asked for it. */
export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(STORED);
  signedOutBecause.value = because;
  apiKey.value = null;
}
