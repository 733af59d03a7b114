/// <reference lib="dom" />
import type { ElementHandle, Locator } from "playwright-core";
import { mentionsSecret } from "../../contract/secrets/secret-syntax.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { SecretResolver } from "../job.ts";
import type { Tab } from "../page/tab.ts";
import { findElement } from "../selectors/find-element.ts";
import { writable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";
import { actionOptions, performAction } from "./action.ts";

type Handle = ElementHandle<HTMLElement | SVGElement>;

/** @throws RunFailure as `click`, or what `secrets` throws */
export async function writeInput(
  tab: Tab,
  step: StepOf<"write_input">,
  budget: Budget,
  secrets: Pick<SecretResolver, "text">,
): Promise<void> {
  const element = await findElement(tab, step, writable, budget);
  const options = actionOptions(step, budget);
  await performAction(tab, step, async () => {
    const written = await write(element, step.value, { ...options, answerMs: budget.answerMs }, secrets);
    if (!written) throw notTaken(step, tab.page.url());
    if (step.submit) {
      // The page may have given the input another name, or put another input in its place.
      const looking = written.evaluate((node) => node.isConnected);
      const isThere = await within(budget.answerMs, looking).catch(() => false);
      await (isThere ? written : element).press("Enter", options);
    }
    await written.dispose().catch(() => {});
  });
}

const notTaken = ({ selector, field_name: name }: StepOf<"write_input">, url: string) =>
  new RunFailure(
    "element_unusable",
    `${selector ?? (name === undefined ? "The text input" : `"${name}"`)} on ${url} did not take the value: it shows something else. Check what format it asks for.`,
  );

/** Writes into an element; once more where the page replaces it meanwhile. Returns it if it took the value. */
async function write(
  element: Locator,
  value: string,
  { timeout, answerMs }: { timeout: number; answerMs: number },
  secrets: Pick<SecretResolver, "text">,
): Promise<Handle | undefined> {
  const end = Date.now() + timeout;
  for (;;) {
    const left = () => Math.max(1, end - Date.now());
    // Bound to its document, unlike a locator: a page that comes in between never gets what was meant for this one.
    const handle = await element.elementHandle({ timeout: left() });
    if (!handle) return undefined;
    try {
      const frame = mentionsSecret(value) ? await handle.ownerFrame() : undefined;
      const text = frame === undefined ? value : secrets.text(value, frame?.url() ?? "");
      if (await writeNow(handle, text, { left, answerMs })) return handle;
      await handle.dispose().catch(() => {});
      return undefined;
    } catch (error) {
      // The page has replaced its input.
      const isGone = error instanceof Error && /not attached|was destroyed|navigat/i.test(error.message);
      await handle.dispose().catch(() => {});
      if (!isGone || error instanceof RunFailure || Date.now() >= end) throw error;
    }
  }
}

/** Fills a text in at once, and types it where the input shows something else then: some only take what is typed. */
async function writeNow(
  handle: Handle,
  text: string,
  { left, answerMs }: { left: () => number; answerMs: number },
): Promise<boolean> {
  // Pages that react to keys would miss what is filled in.
  await tellKey(handle, "keydown", text, answerMs);
  await handle.fill(text, { timeout: left() });
  await tellKey(handle, "keyup", text, answerMs);
  const shown = await look(handle, text, answerMs);
  if (shown === "refused")
    throw new Error(`Malformed value for input[type=${await typeOf(handle, answerMs)}]`);
  if (shown === "taken") return true;
  await handle.fill("", { timeout: left() });
  await handle.type(text, { timeout: left() });
  return (await look(handle, text, answerMs)) === "taken";
}

/** Tells a page of the last key of a text. */
async function tellKey(handle: Handle, type: string, text: string, answerMs: number): Promise<void> {
  const key = Array.from(text).at(-1) ?? "Delete";
  const told = handle.evaluate(
    (node, { type, key }) => {
      if (type === "keydown") (node as HTMLElement).focus();
      node.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true, cancelable: true }));
    },
    { type, key },
  );
  // The page may have navigated because of what was written.
  await within(answerMs, told).catch(() => {});
}

const typeOf = (handle: Handle, answerMs: number) => within(answerMs, handle.getAttribute("type"));

/**
 * Whether an input shows a text, apart from how it formats it. An input for a date or a time ignores text in another
 * format than its own.
 */
async function look(handle: Handle, text: string, answerMs: number): Promise<"taken" | "refused" | "other"> {
  const looking = handle.evaluate((node, text) => {
    if (!node.isConnected || text === "") return "taken";
    const isInput = node instanceof HTMLInputElement;
    if (!isInput && !(node instanceof HTMLTextAreaElement)) return "taken";
    if (isInput && /^(date|datetime-local|month|time|week)$/.test(node.type))
      return node.value === "" ? "refused" : "taken";
    const besideOf = (field: Element) =>
      [field.previousElementSibling, field.parentElement?.previousElementSibling].map((element) =>
        bare((element as HTMLElement | null)?.innerText ?? ""),
      );
    const bare = (written: string) => written.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
    const [shown, wanted] = [bare(node.value), bare(text)];
    const isCut = node.maxLength > 0 && node.value.length >= node.maxLength && wanted.startsWith(shown);
    // What the text begins with, such as the code of a country, may be shown beside the input.
    const isSplit =
      shown !== "" && wanted.endsWith(shown) && besideOf(node).includes(wanted.slice(0, -shown.length));
    return shown.includes(wanted) || isCut || isSplit ? "taken" : "other";
  }, text);
  // The page may have navigated because of what was written.
  return await within(answerMs, looking).catch(() => "taken" as const);
}
