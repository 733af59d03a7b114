/// <reference lib="dom" />
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { Snapshot } from "../../functions/proposals/snapshot.ts";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../../functions/scraping/browser/launch.ts";
import { snapshotCode } from "../../functions/scraping/page-script/bundles/snapshot.ts";
import type { Collected } from "../../functions/scraping/page-script/snapshot/index.ts";
import { type LabelledPage, readPage } from "./labelled-sets.ts";

/** A page, collected without network and without scripts. */
export interface CollectedPage extends LabelledPage {
  snapshot: Snapshot;
  /** Indexes of the elements that the labels name. */
  labelled: number[];
}

const MARK = "data-bench-label";

export async function* collectPages(pages: readonly LabelledPage[]): AsyncGenerator<CollectedPage> {
  const { executablePath, env } = await installChromium(join(tmpdir(), "gleaner-bench-chromium"));
  const browser = await chromium.launch({ executablePath, env, args: [NO_SANDBOX, "--disable-gpu"] });
  try {
    for (const page of pages) yield await collectPage(browser, page);
  } finally {
    await browser.close();
  }
}

async function collectPage(browser: Browser, labelled: LabelledPage): Promise<CollectedPage> {
  const body = await readPage(labelled);
  const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  try {
    const address = labelled.url;
    await page.route("**/*", (route) =>
      route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
        ? route.fulfill({ body, contentType: `text/html; charset=${labelled.charset}` })
        : route.abort(),
    );
    await page.goto(address, { waitUntil: "domcontentloaded" });
    const next = (await page.evaluate(isOlder, labelled.previous ?? "")) ? labelled.previous : labelled.next;
    await page.evaluate(drawIcons);
    await page.evaluate(mark, { css: next ?? null, xpaths: labelled.rows ?? [], name: MARK });
    const collected = await page.evaluate<Collected>(
      `(() => { ${snapshotCode}; return snapshot.collect(); })()`,
    );
    const snapshot = JSON.parse(collected.snapshot) as Snapshot;
    const indexes: number[] = [];
    for (const [index, { attributes }] of snapshot.elements.entries()) {
      if (attributes?.[MARK] === undefined) continue;
      delete attributes[MARK];
      indexes.push(index);
    }
    return { ...labelled, ...(next !== undefined && { next }), snapshot, labelled: indexes };
  } finally {
    await page.close();
  }
}

/**
 * Blogs begin with what is newest: older posts are their next page. The set takes them for the previous one where
 * their arrow points to the left.
 */
function isOlder(css: string): boolean {
  const words =
    /\bolder\b|previous (?:posts|entries|articles)|ältere|plus anciens|anteriores|antigu|antigos|meno recenti|precedenti|oudere|äldre|eldre|ældre|vanhem|старые|предыдущие записи|ранее|starsze|starší|régebbi|mai vechi|eski|παλαι|過去|古い|이전 글/i;
  return (
    css !== "" && [...document.querySelectorAll(css)].some(({ textContent }) => words.test(textContent ?? ""))
  );
}

/**
 * Gives links and buttons without text the size of an icon. Sites draw these icons by their style sheets, which the sets
 * do not have; without one, such a control has no size and counts as hidden.
 */
function drawIcons(): void {
  for (const control of document.querySelectorAll<HTMLElement>("a, button, [role=button]")) {
    const { width, height } = control.getBoundingClientRect();
    if (control.textContent?.trim() || (width > 0 && height > 0)) continue;
    if (getComputedStyle(control).display === "none") continue;
    control.style.cssText += "; display: inline-block; min-width: 16px; min-height: 16px";
  }
}

function mark({ css, xpaths, name }: { css: string | null; xpaths: string[]; name: string }): void {
  for (const element of css === null ? [] : document.querySelectorAll(css)) element.setAttribute(name, "");
  for (const xpath of xpaths) {
    const { singleNodeValue } = document.evaluate(
      `/html${xpath}`,
      document,
      null,
      XPathResult.FIRST_ORDERED_NODE_TYPE,
    );
    if (singleNodeValue instanceof Element) singleNodeValue.setAttribute(name, "");
  }
}
