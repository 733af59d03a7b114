import { batch, effect, signal } from "@preact/signals";
import { permits, type Scope } from "../../functions/contract/scope.ts";
import { serviceFacts } from "./service-facts.ts";

/*
 * The signed-in session. The API key is kept in sessionStorage: it is deleted with the tab, no other origin can read
 * it, and browsers don't send it automatically as they send cookies. The console's tabs pass the key to each other, so
 * that a link opened in a new tab needs no new sign-in.
 */

const STORED = "gleaner.key";
const IN_FRAGMENT = "#key=";
/**
 * How long a new tab waits for the key of another tab before it shows the sign-in page, in ms. A key that arrives later
 * still signs in.
 */
const ANSWER_MS = 100;

/** In place of an API key: a proxy signs in whoever uses the console, and the requests need no key. */
export const SIGNED_ON = "";
/** The API key of the session, or SIGNED_ON; null if nobody is signed in. */
export const apiKey = signal<string | null>(null);
/** What the session may do. Until it is known, nothing is disabled: the service checks each request. */
const scope = signal<Scope>("admin");

/** Why the session may not do what needs this scope, for the person; undefined if it may. */
export const refusalOf = (needed: Scope): string | undefined =>
  permits(scope.value, needed)
    ? undefined
    : `This needs the scope “${needed}”. You have “${scope.value}”. Ask whoever runs the service.`;
/** An API key from a link, which is used only if the user accepts it; null if there is none. */
export const offeredKey = signal<string | null>(null);
/** Why the user was signed out, for the sign-in page; null if the user signed out or has not been signed in. */
export const signedOutBecause = signal<string | null>(null);

/** Increases when another account may have signed in. The pages of the previous account must then not be shown. */
export const sessionNumber = signal(0);
/**
 * Whether the service has refused the key of a known account. The open page stays; it continues when another key of the
 * same account signs in.
 */
export const isLapsed = signal(false);
/** The id of the account of the last key; undefined if it is not known yet. */
let account: string | undefined;

/** What tabs send to each other: a request for a key, a key, or that a key was signed out. */
type Message = { kind: "wanted" } | { kind: "key" | "left"; key: string };
/** Reaches the other tabs of the console. */
let tabs: BroadcastChannel | undefined;
/** Whether this tab has asked the other tabs for a key and is not signed in yet. */
let isAsking = false;
const tell = (message: Message) => tabs?.postMessage(message);

/**
 * Signs in with the key of this tab, or of another tab. A key in the address is removed from the address and the
 * history, and becomes `offeredKey`.
 */
export async function restoreSession(): Promise<void> {
  tabs = new BroadcastChannel("gleaner.session");
  const key = takeFromAddress();
  apiKey.value ??= sessionStorage.getItem(STORED);
  // When a link with a key is opened in a tab that already shows the console, only the fragment changes.
  addEventListener("hashchange", () => offer(takeFromAddress()));
  tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "wanted" && apiKey.value !== null) tell({ kind: "key", key: apiKey.value });
    if (data.kind === "key" && isAsking) signIn(data.key);
    if (data.kind === "left" && data.key === apiKey.value) forget(null);
  });
  if (apiKey.value === null) {
    isAsking = true;
    tell({ kind: "wanted" });
    await waitUntil(() => apiKey.value !== null, AbortSignal.timeout(ANSWER_MS));
  }
  if (apiKey.value === null && serviceFacts().signsOn) apiKey.value = SIGNED_ON;
  offer(key);
}

/** Removes the key from the address, and returns it; "" if there is none. */
function takeFromAddress(): string {
  if (!location.hash.startsWith(IN_FRAGMENT)) return "";
  const key = decoded(location.hash.slice(IN_FRAGMENT.length)).trim();
  history.replaceState(null, "", location.pathname + location.search);
  return key;
}

/**
 * Offers the key of a link. The user is always asked: an attacker could send a link with the attacker's key, and would
 * then see what the user enters.
 */
function offer(key: string): void {
  if (key !== "" && key !== apiKey.value) offeredKey.value = key;
}

/** Ends the offer of the link's key: signs in with it if the user accepts it. */
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

/** @param id the id of the key's account, if it is known */
export function signIn(key: string, id?: string): void {
  if (key === apiKey.value) return;
  isAsking = false;
  sessionStorage.setItem(STORED, key);
  batch(() => {
    const isSame = isLapsed.value && id !== undefined && id === account;
    if (!isSame) sessionNumber.value += 1;
    account = id;
    scope.value = "admin";
    isLapsed.value = false;
    signedOutBecause.value = null;
    apiKey.value = key;
    if (offeredKey.value === key) offeredKey.value = null;
  });
}

/** Stores the id of the account that the current key belongs to, and what it may do. */
export function noteAccount(key: string, id: string, granted: Scope): void {
  if (key !== apiKey.value) return;
  account = id;
  scope.value = granted;
}

/** Signs out in all tabs that use this key. */
export function signOut(): void {
  if (apiKey.value !== null) tell({ kind: "left", key: apiKey.value });
  forget(null);
}

/** Ends the session in this tab. The sign-in page shows `because`. */
function forget(because: string | null): void {
  sessionStorage.removeItem(STORED);
  batch(() => {
    sessionNumber.value += 1;
    account = undefined;
    isLapsed.value = false;
    offeredKey.value = null;
    signedOutBecause.value = because;
    apiKey.value = null;
  });
}

const INVALID = "Your API key is no longer valid. It has expired, was revoked, or its account was deleted.";

/**
 * Must be called when the service has refused a key. If the account is known, waits until the user has signed in with
 * another key or has signed out, or until `signal` is aborted. Otherwise signs out at once.
 */
export async function handleRefusedKey(key: string, signal?: AbortSignal): Promise<void> {
  if (key === apiKey.value) {
    if (key === SIGNED_ON) forget(null);
    else if (account === undefined) forget(`${INVALID} Sign in with another one.`);
    else lapse();
  }
  if (isLapsed.value) await waitUntil(() => !isLapsed.value, signal);
}

/** Forgets the key but keeps the open page, in case another key of the same account signs in. */
function lapse(): void {
  sessionStorage.removeItem(STORED);
  batch(() => {
    isLapsed.value = true;
    signedOutBecause.value = `${INVALID} Sign in with another one of the same account, and you can continue where you were.`;
    apiKey.value = null;
  });
}

/** Waits until `holds` returns true. `holds` must read signals, because it is called again only when they change. */
async function waitUntil(holds: () => boolean, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (holds()) resolve();
  });
  signal?.addEventListener("abort", () => resolve(), { once: true });
  if (signal?.aborted) resolve();
  await promise;
  stop();
}
