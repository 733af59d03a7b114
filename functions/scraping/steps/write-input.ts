/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";
import { mentionsSecret } from "../../contract/secret-syntax.ts";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { Reveal } from "../job.ts";
import { CROSSING_MS, findElement } from "../selectors/find-element.ts";
import { writable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";
import { acting, attempt } from "./acting.ts";

/** @throws RunFailure as `click`, or what `reveal` throws */
export async function writeInput(
  page: Page,
  step: StepOf<"write_input">,
  budget: Budget,
  reveal: Pick<Reveal, "text">,
): Promise<void> {
  const element = await findElement(page, step, writable, budget);
  const options = acting(step, budget);
  await attempt(page, step, async () => {
    await fill(element, step.value, options.timeout, reveal);
    await releaseKey(element, step.value);
    if (step.value !== "") await assertTaken(element);
    if (step.submit) await element.press("Enter", options);
  });
}

async function fill(
  element: Locator,
  value: string,
  timeout: number,
  reveal: Pick<Reveal, "text">,
): Promise<void> {
  if (!mentionsSecret(value)) return element.fill(value, { timeout });
  const end = Date.now() + timeout;
  for (;;) {
    // Bound to its document, unlike a locator: a page that comes in between never gets what was meant for this one.
    const handle = await element.elementHandle({ timeout: Math.max(1, end - Date.now()) });
    try {
      const frame = await handle?.ownerFrame();
      const text = reveal.text(value, frame?.url() ?? "");
      return await handle?.fill(text, { timeout: Math.max(1, end - Date.now()) });
    } catch (error) {
      // The page has replaced its input.
      const isGone = error instanceof Error && /not attached|was destroyed|navigat/i.test(error.message);
      if (!isGone || error instanceof RunFailure || Date.now() >= end) throw error;
    } finally {
      await handle?.dispose().catch(() => {});
    }
  }
}

/** Text is filled in at once, without keys: pages that react to keyup would miss it. */
async function releaseKey(element: Locator, value: string): Promise<void> {
  const key = Array.from(value).at(-1) ?? "Delete";
  const released = element.evaluateAll(
    ([node], key) => node?.dispatchEvent(new KeyboardEvent("keyup", { key, bubbles: true, composed: true })),
    key,
  );
  // The page may have navigated because of what was written.
  await within(CROSSING_MS, released).catch(() => {});
}

/** An input for a date or a time ignores text in another format than its own. */
async function assertTaken(element: Locator): Promise<void> {
  const refused = element.evaluateAll(([node]) =>
    node instanceof HTMLInputElement &&
    node.value === "" &&
    /^(date|datetime-local|month|time|week)$/.test(node.type)
      ? node.type
      : undefined,
  );
  const type = await within(CROSSING_MS, refused).catch(() => undefined);
  if (type !== undefined) throw new Error(`Malformed value for input[type=${type}]`);
}
