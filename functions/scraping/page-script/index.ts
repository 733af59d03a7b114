/// <reference lib="dom" />
/**
 * The page script: what runs inside each page, in an isolated world where the site's own scripts can't reach it.
 * bundles/page-script.ts, made by `npm run page-script`, is the code of this module and all that it imports.
 */
import { changed, watchChanges } from "./changes.ts";
import { readHtml } from "./http/read-html.ts";
import { holdLayout, release, sizeImages } from "./layout.ts";
import { declaredSize } from "./lists/declared-size.ts";
import { readAgain } from "./lists/last-read.ts";
import { lookAtControl, noteList, pressControl, readList } from "./lists/read-list.ts";
import { changedRows } from "./lists/read-parts.ts";
import { continueWithMarks, growsUpwards, scrollAndRead } from "./lists/scroll-list.ts";
import { watchStyles } from "./loaded-styles.ts";
import { pageState } from "./page-state.ts";
import { readRest } from "./portions.ts";
import { PAGE_SCRIPT } from "./protocol.ts";
import { first } from "./query.ts";
import { readPage } from "./read-page.ts";
import { startUp } from "./readiness.ts";
import { stopShowing } from "./show-each.ts";
import { watchScripts } from "./static.ts";
import { learnSheets } from "./text/sheet-rules.ts";
import { delay } from "./waiting.ts";

const pageScript = {
  changed,
  changedRows,
  continueWithMarks,
  declaredSize,
  delay: ({ ms }: { ms: number }) => delay(ms),
  first,
  growsUpwards,
  holdLayout,
  learnSheets,
  lookAtControl,
  noteList,
  pageState,
  pressControl,
  readAgain,
  readHtml,
  readList,
  readPage,
  readRest,
  release,
  scrollAndRead,
  startUp,
  stopShowing,
  watchChanges: ({ isContinued }: { isContinued: boolean }) => watchChanges({ isContinued }),
};

/** What the engine can call in a page. */
export type PageScript = typeof pageScript;

const world = globalThis as { [PAGE_SCRIPT]?: PageScript };
// Evaluated twice where a page was open before its tab was: what is known of its lists stays.
if (!world[PAGE_SCRIPT]) {
  watchScripts();
  watchStyles();
  sizeImages();
  world[PAGE_SCRIPT] = pageScript;
}
