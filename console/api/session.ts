import { batch, effect, signal } from "@preact/signals";

/*
 * Who is signed in. The API key is in sessionStorage: it ends with the tab, no other origin can read it, and browsers
 * never send it by themselves, as they would a cookie. Tabs of this origin hand it to each other, so that a link can be
 * opened in a new one.
 */

const STORED = "gleaner.key";
const IN_FRAGMENT = "#key=";
/** How long a new tab waits for another one to answer before it shows the sign-in page. A later answer signs in, too. */
const ANSWER_MS = 100;

/** The API key; null: nobody is signed in. */
export const apiKey = signal<string | null>(null);
/** Another key than that of who is signed in, from a link; null: there is none. It is used only if the person agrees. */
export const offeredKey = signal<string | null>(null);
/** Why somebody who was signed in is not any more. */
export const signedOutBecause = signal<string | null>(null);

/** Changes when another account may have signed in: what belongs to the one before is not shown any more. */
export const holder = signal(0);
/** Whether the key of an account that is known is not valid any more. With another key of it, everything goes on. */
export const isLapsed = signal(false);
/** The id of the account of the last key; undefined: not known yet. */
let account: string | undefined;

type Message = { kind: "wanted" } | { kind: "key" | "left"; key: string };
/** Between the tabs of the console. */
let tabs: BroadcastChannel | undefined;
/** Whether this tab has asked the others for a key, and nobody has signed in here since. */
let isAsking = false;
const tell = (message: Message) => tabs?.postMessage(message);

/**
 * Takes the key of this tab, of another one, or from the address, in this order. A key in the address is removed from it,
 * and from the history, before anything is shown.
 */
export async function restoreSession(): Promise<void> {
  tabs = new BroadcastChannel("gleaner.session");
  const key = takeFromAddress();
  apiKey.value ??= sessionStorage.getItem(STORED);
  // A link with a key that is opened in a tab with the console changes only the fragment.
  addEventListener("hashchange", () => offer(takeFromAddress()));
  tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "wanted" && apiKey.value !== null) tell({ kind: "key", key: apiKey.value });
    if (data.kind === "key" && isAsking) signIn(data.key);
    if (data.kind === "left" && data.key === apiKey.value) forget(null);
  });
  if (apiKey.value === null) {
    isAsking = true;
    tell({ kind: "wanted" });
    await until(() => apiKey.value !== null, AbortSignal.timeout(ANSWER_MS));
  }
  offer(key);
}

/** The key in the address, if there is one. */
function takeFromAddress(): string {
  if (!location.hash.startsWith(IN_FRAGMENT)) return "";
  const key = decoded(location.hash.slice(IN_FRAGMENT.length)).trim();
  history.replaceState(null, "", location.pathname + location.search);
  return key;
}

/**
 * Signs in with the key of a link. Anybody can send a link with a key of their own, to get what somebody else enters then:
 * who is signed in is asked first.
 */
function offer(key: string): void {
  if (key === "" || key === apiKey.value) return;
  if (apiKey.value === null) signIn(key);
  else offeredKey.value = key;
}

/** Signs in with the key of the link, or stays signed in. */
export function answerOffer(isAccepted: boolean): void {
  const { value: key } = offeredKey;
  offeredKey.value = null;
  if (isAccepted && key !== null) signIn(key);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param id the account of the key, if it is known */
export function signIn(key: string, id?: string): void {
  if (key === apiKey.value) return;
  isAsking = false;
  sessionStorage.setItem(STORED, key);
  batch(() => {
    const isSame = isLapsed.value && id !== undefined && id === account;
    if (!isSame) holder.value += 1;
    account = id;
    isLapsed.value = false;
    signedOutBecause.value = null;
    apiKey.value = key;
  });
}

/** Notes whose key it is. */
export function noteAccount(key: string, id: string): void {
  if (key === apiKey.value) account = id;
}

/** Signs out in all tabs. */
export function signOut(): void {
  if (apiKey.value !== null) tell({ kind: "left", key: apiKey.value });
  forget(null);
}

/** Forgets the key. `because`: what the sign-in page says. */
function forget(because: string | null): void {
  sessionStorage.removeItem(STORED);
  batch(() => {
    holder.value += 1;
    account = undefined;
    isLapsed.value = false;
    offeredKey.value = null;
    signedOutBecause.value = because;
    apiKey.value = null;
  });
}

const INVALID = "Your API key is no longer valid: it was revoked, or it has expired.";

/** To be called when the service has refused a key. Resolves when somebody has signed in, or can't any more. */
export async function refused(key: string, signal?: AbortSignal): Promise<void> {
  if (key === apiKey.value) {
    if (account === undefined) forget(`${INVALID} Sign in with another one.`);
    else lapse();
  }
  if (isLapsed.value) await until(() => !isLapsed.value, signal);
}

/** Forgets the key, and keeps what is shown until it is certain that another account signs in. */
function lapse(): void {
  sessionStorage.removeItem(STORED);
  batch(() => {
    isLapsed.value = true;
    signedOutBecause.value = `${INVALID} Sign in with another one of the same account, and you can go on where you are.`;
    apiKey.value = null;
  });
}

/** @param holds reads signals */
async function until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (holds()) resolve();
  });
  signal?.addEventListener("abort", () => resolve(), { once: true });
  if (signal?.aborted) resolve();
  await promise;
  stop();
}
