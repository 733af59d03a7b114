/// <reference lib="dom" />
import { releaseLayout } from "../layout.ts";
import { readPainted } from "../painting.ts";
import type { FieldRequest } from "../protocol.ts";
import { knownShadowRoots } from "../query.ts";
import { scrollerOf, scrollTo, viewHeight } from "../scroller.ts";
import { isStatic } from "../static.ts";
import { moments, pass } from "../waiting.ts";
import { isBlank, readRows, wantTexts } from "./rows.ts";

/** Rows that a script fills once they come into view. */

const IMAGE = /^(src|srcset|poster)$/;
/** So many rows that say the same at the end of a list may all be waiting to be filled. */
const ALIKE = 3;
/** Longer texts are no placeholders. */
const TEXT_MAX = 40;
/** The most views that are scrolled through, and how many where nothing changes within so many ms by that. */
const VIEWS_MAX = 60;
const VIEWS_SAME = 5;
const SAME_MS = 600;
/** How long each view is shown to pages that wait until nobody scrolls, in ms. */
const REST_MS = 300;
/** Longer lists have more rows than so many views show. */
const ROWS_MAX = 5_000;

/** After so many times without an effect, what a list adds is not scrolled through any more. */
const IN_VAIN = 2;
let inVain = 0;

/**
 * Brings rows into view that look as if they were waiting for that.
 * @param isPart whether the list had rows before these
 * @returns whether they were brought into view: then they have to be read again
 */
export async function reveal(
  rows: Element[],
  fields: readonly FieldRequest[],
  isPart: boolean,
): Promise<boolean> {
  if (isPart && inVain >= IN_VAIN) return false;
  const hasChanged = await showEach(rows);
  inVain = hasChanged ? 0 : inVain + 1;
  if (hasChanged && (await readPainted(() => mayBeUnseen(rows, fields, readRows(rows, fields)))))
    await showEach(rows, REST_MS);
  return true;
}

/** Whether rows look as if they were waiting to come into view. */
export function mayBeUnseen(
  rows: readonly Element[],
  fields: readonly FieldRequest[],
  cells: readonly (readonly (string | null)[])[],
): boolean {
  if (rows.length > ROWS_MAX || isStatic()) return false;
  const isImage = fields.map(({ attribute }) => attribute !== undefined && IMAGE.test(attribute));
  const lacksImage = cells.some((row) =>
    row.some(
      (value, index) => isImage[index] && (value === null || value === "" || value.startsWith("data:")),
    ),
  );
  if (lacksImage) return true;
  if (!wantTexts(fields) || rows.length < ALIKE) return false;
  if (rows.some(isBlank) && !rows.every(isBlank)) return true;
  const isHidden = cells.map((values, index) => !values.some(Boolean) && isInvisible(rows[index] as Element));
  if (isHidden.includes(true) && isHidden.includes(false)) return true;
  const last = rows.slice(-ALIKE).map((row) => row.textContent.trim());
  return last.every((text) => text === last[0] && text.length <= TEXT_MAX);
}

/** Whether a row has text and a place, but nothing of it can be seen. */
const isInvisible = (row: Element) => !isBlank(row) && row.getClientRects().length > 0;

/** Brings each row into view, as a person does who reads the list. Returns whether the page changed meanwhile. */
export async function showEach(rows: readonly Element[], restMs = 0): Promise<boolean> {
  releaseLayout();
  const scroller = scrollerOf(rows.at(-1));
  const before = scroller.scrollTop;
  let views = 0;
  let bottom = Number.NEGATIVE_INFINITY;
  let hasChanged = false;
  const observer = new MutationObserver(() => {
    hasChanged = true;
  });
  for (const root of [document, ...knownShadowRoots()])
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const row of rows) {
    const top = row.getBoundingClientRect().top + scroller.scrollTop;
    if (top < bottom) continue;
    if (views === VIEWS_MAX) break;
    views += 1;
    row.scrollIntoView({ block: "start", behavior: "instant" });
    bottom = row.getBoundingClientRect().top + scroller.scrollTop + viewHeight(scroller) * 0.9;
    // The page is told of the scroll with the next frame, which may come after much of its time.
    await moments(restMs > 0 ? 1 : 2);
    if (restMs > 0) await pass(restMs);
    if (views !== VIEWS_SAME || hasChanged) continue;
    await pass(SAME_MS);
    if (!hasChanged) break;
  }
  observer.disconnect();
  scrollTo(scroller, before);
  await moments(1);
  return hasChanged;
}
