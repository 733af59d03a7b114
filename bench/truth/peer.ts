import type { LaunchOptions } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { ChromiumInstall } from "../../functions/scraping/browser/install.ts";
import type { Task } from "../../test/widgets/task.ts";
import { SCRIPT_ARGS } from "../engine/scripts.ts";

/** Where a task's page is, and what a reading of it needs. */
export interface Place {
  origin: string;
  /** The browser to read it with. */
  chromium: ChromiumInstall;
  /** A selector of the task's pagination control, as a person would copy it from the page; undefined if there is none. */
  control: string | undefined;
  /** Fires when the reading takes too long: a reader then ends what it has started. */
  signal: AbortSignal;
  /** Begins the time of the reading anew. For what a program does once, however many pages it reads. */
  begin(): void;
}

export interface Reading {
  rows: readonly Row[];
  /** What the library says if its rows may be wrong. */
  doubt?: string;
}

/** A way to read the pages: a library, used as its documentation suggests. */
export interface Peer {
  name: string;
  version: string;
  /** Whether the library can express the task. */
  can(task: Task): boolean;
  /** @throws what the library says if it can't read the page */
  read(task: Task, place: Place): Promise<Reading>;
  close?(): Promise<void>;
}

/** The URL of a task's page. */
export const urlOf = (task: Task, { origin }: Pick<Place, "origin">): string => `${origin}/${task.page}`;

/** Calls `work` with a browser of its own, which ends with it, and when the reading takes too long. */
export async function withBrowser<B extends { close(): Promise<void> }, T>(
  type: { launch(options: LaunchOptions): Promise<B> },
  place: Place,
  work: (browser: B) => Promise<T>,
): Promise<T> {
  const browser = await type.launch({ args: SCRIPT_ARGS, ...place.chromium });
  const close = () => browser.close();
  place.signal.addEventListener("abort", close);
  try {
    return await work(browser);
  } finally {
    place.signal.removeEventListener("abort", close);
    await close();
  }
}

/** Selectors that only Playwright understands. */
const BEYOND_CSS = /^xpath=|:visible/;

/** The list of a task that needs nothing but a list in CSS and its pagination; undefined for other tasks. */
export function plainList({ steps, pagination, headers, act, windowedPages }: Task) {
  const list = steps.find((step) => step.type === "get_list");
  if (!list || act || windowedPages || list.details || list.frame || headers) return undefined;
  const control = pagination && "selector" in pagination && pagination.selector;
  const selectors = [list.selector, control, ...list.fields.map(({ selector }) => selector)];
  if (selectors.some((selector) => BEYOND_CSS.test(selector || ""))) return undefined;
  return steps.length === 1 ? list : undefined;
}
