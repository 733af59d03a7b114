/// <reference lib="dom" />
/**
 * The page script: what runs inside each page, in an isolated world where the site's own scripts can't reach it.
 * bundles/page-script.ts, made by `npm run page-script`, is the code of this module and all that it imports.
 */
import { changed } from "./changes.ts";
import { nextLink } from "./http/next-link.ts";
import { readHtml } from "./http/read-html.ts";
import { holdLayout, release, sizeImages } from "./layout.ts";
import { declaredSize } from "./lists/declared-size.ts";
import { takeAgain } from "./lists/last-taken.ts";
import { lookAtControl, noteList, pressControl, takeList } from "./lists/take-list.ts";
import { takeMarked, takeScrolled } from "./lists/take-scrolled.ts";
import { changedRows } from "./lists/taken-parts.ts";
import { watchStyles } from "./loaded-styles.ts";
import { pageState } from "./page-state.ts";
import { takeRest } from "./portions.ts";
import { PAGE_SCRIPT } from "./protocol.ts";
import { first } from "./query.ts";
import { startUp } from "./readiness.ts";
import { stopShowing } from "./show-each.ts";
import { takePage } from "./take-page.ts";
import { recallSheets } from "./text/sheet-memory.ts";
import { learnSheets } from "./text/sheet-rules.ts";
import { pass } from "./waiting.ts";

const pageScript = {
  changed,
  changedRows,
  declaredSize,
  first,
  holdLayout,
  learnSheets,
  lookAtControl,
  nextLink,
  noteList,
  pageState,
  pass: ({ ms }: { ms: number }) => pass(ms),
  pressControl,
  readHtml,
  recallSheets,
  release,
  startUp,
  stopShowing,
  takeAgain,
  takeList,
  takeMarked,
  takePage,
  takeRest,
  takeScrolled,
};

/** What the engine can call in a page. */
export type PageScript = typeof pageScript;

const world = globalThis as { [PAGE_SCRIPT]?: PageScript };
// Evaluated twice where a page was open before its tab was: what is known of its lists stays.
if (!world[PAGE_SCRIPT]) {
  watchStyles();
  sizeImages();
  world[PAGE_SCRIPT] = pageScript;
}
