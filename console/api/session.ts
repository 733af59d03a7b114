import { signal } from "@preact/signals";

/*
 * Who is signed in. The API key is in sessionStorage: it ends with the tab, no other origin can read it, and browsers
 * never send it by themselves, as they would a cookie. Tabs of this origin hand it to each other, so that a link can be
 * opened in a new one.
 */

const STORED = "gleaner.key";
const IN_FRAGMENT = "#key=";
/** How long a new tab waits for another one to answer. */
const ANSWER_MS = 100;

/** The API key; null: nobody is signed in. */
export const apiKey = signal<string | null>(null);
/** Why somebody who was signed in is not any more. */
export const signedOutBecause = signal<string | null>(null);

type Message = { kind: "wanted" } | { kind: "key" | "left"; key: string };
/** Between the tabs of the console. */
let tabs: BroadcastChannel | undefined;
const tell = (message: Message) => tabs?.postMessage(message);

/**
 * Takes the key from the address, this tab or another one. A key in the address is removed from it, and from the history,
 * before anything is shown.
 */
export async function restoreSession(): Promise<void> {
  tabs = new BroadcastChannel("gleaner.session");
  takeFromAddress();
  apiKey.value ??= sessionStorage.getItem(STORED);
  // A link with a key that is opened in a tab with the console changes only the fragment.
  addEventListener("hashchange", takeFromAddress);
  if (apiKey.value === null) await askOtherTabs(tabs);
  tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "wanted" && apiKey.value !== null) tell({ kind: "key", key: apiKey.value });
    if (data.kind === "left" && data.key === apiKey.value) forget(null);
  });
}

function askOtherTabs(tabs: BroadcastChannel): Promise<void> {
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== "key") return;
      signIn(data.key);
      done();
    };
    const done = () => {
      clearTimeout(timer);
      tabs.removeEventListener("message", listen);
      resolve();
    };
    const timer = setTimeout(done, ANSWER_MS);
    tabs.addEventListener("message", listen);
    tell({ kind: "wanted" });
  });
}

function takeFromAddress(): void {
  if (!location.hash.startsWith(IN_FRAGMENT)) return;
  const key = decoded(location.hash.slice(IN_FRAGMENT.length)).trim();
  history.replaceState(null, "", location.pathname + location.search);
  if (key !== "") signIn(key);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function signIn(key: string): void {
  sessionStorage.setItem(STORED, key);
  signedOutBecause.value = null;
  apiKey.value = key;
}

/** Signs out in all tabs. */
export function signOut(): void {
  if (apiKey.value !== null) tell({ kind: "left", key: apiKey.value });
  forget(null);
}

/** Forgets a key that is not valid any more. `because`: what the sign-in page says. */
export const forget = (because: string | null): void => {
  sessionStorage.removeItem(STORED);
  signedOutBecause.value = because;
  apiKey.value = null;
};
