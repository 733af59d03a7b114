/// <reference lib="dom" />
/**
 * The page script: what runs inside each page, in an isolated world where the site's own scripts can't reach it.
 * bundles/page-script.ts, made by `npm run page-script`, is the code of this module and all that it imports.
 */

import { readRest } from "./answers.ts";
import { emptySpot, turnWheel } from "./empty-spot.ts";
import { settled } from "./host.ts";
import { readHtml } from "./http/read-html.ts";
import { holdLayout, releaseLayout, sizeImages } from "./layout.ts";
import { declaredSize, noResults } from "./lists/declared-size.ts";
import { endRows, findRow, readRow } from "./lists/one-row.ts";
import { lookAtControl, pressControl, readList } from "./lists/read-list.ts";
import { changedRows } from "./lists/read-parts.ts";
import { heldBack, scrollAndRead } from "./lists/scroll-list.ts";
import { readField } from "./lists/values.ts";
import { PAGE_SCRIPT } from "./protocol.ts";
import { first, frameElement } from "./query.ts";
import { readPage } from "./read-page.ts";
import { stopShowing } from "./show-each.ts";
import { state, watchDocument } from "./state.ts";
import { watchScripts } from "./static.ts";
import { learnSheets } from "./text/style-rules.ts";

const pageScript = {
  changedRows,
  declaredSize,
  emptySpot,
  endRows,
  findRow,
  first,
  frameElement,
  heldBack,
  holdLayout,
  learnSheets,
  lookAtControl,
  noResults,
  pressControl,
  readField,
  readHtml,
  readList,
  readPage,
  readRest,
  readRow,
  release: releaseLayout,
  scrollAndRead,
  settled,
  state,
  stopShowing,
  turnWheel,
};

/** What the engine can call in a page. */
export type PageScript = typeof pageScript;

const world = globalThis as { [PAGE_SCRIPT]?: PageScript };
// Evaluated twice where a page was open before its tab was: what is known of its lists stays.
if (!world[PAGE_SCRIPT]) {
  watchScripts();
  watchDocument();
  sizeImages();
  world[PAGE_SCRIPT] = pageScript;
}
