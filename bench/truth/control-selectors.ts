/// <reference lib="dom" />
import { chromium } from "playwright-core";
import { controlOf } from "../../test/widgets/read-by-playwright.ts";
import type { Task } from "../../test/widgets/task.ts";
import { SCRIPT_ARGS } from "../engine/scripts.ts";
import { type Place, plainList, urlOf } from "./peer.ts";

const OPENED_MS = 1_500;

/**
 * A CSS selector of the control that goes on, if the task has one and needs nothing before it: libraries that know only
 * selectors get what a person would copy from the browser.
 */
export async function controlSelector(
  task: Task,
  place: Pick<Place, "origin" | "chromium">,
): Promise<string | undefined> {
  const { pagination } = task;
  if (!plainList(task) || (pagination?.type !== "next_button" && pagination?.type !== "load_more"))
    return undefined;
  if (pagination.selector) return pagination.selector;
  const browser = await chromium.launch({ args: SCRIPT_ARGS, ...place.chromium });
  try {
    const page = await browser.newPage({ viewport: { width: 1366, height: 900 } });
    // Some pages never load in full.
    await page.goto(urlOf(task, place), { waitUntil: "commit" });
    await page.waitForTimeout(OPENED_MS);
    const control = await controlOf(page, pagination);
    return await control?.evaluate(pathOf);
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
function pathOf(element: Element): string {
  const path: string[] = [];
  for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
    if (at.id && !/\d/.test(at.id)) {
      path.unshift(`#${CSS.escape(at.id)}`);
      break;
    }
    const twins = [...(at.parentElement?.children ?? [])].filter(
      (sibling) => sibling.localName === at?.localName,
    );
    // The next control is the last of its kind in most pagers, however many numbers there are.
    const place = twins.indexOf(at) === twins.length - 1 ? "last" : `${twins.indexOf(at) + 1}`;
    const nth = place === "last" ? ":last-of-type" : `:nth-of-type(${place})`;
    path.unshift(at.localName + (twins.length > 1 ? nth : ""));
  }
  return path.join(" > ");
}
