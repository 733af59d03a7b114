/// <reference lib="dom" />

import { KEPT } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { isJson } from "../json/protocol.ts";
import { jsonProblem } from "../json/reader.ts";
import type { Json, ListAnswer, ReadRequest, WithoutRows, WithRows } from "../protocol.ts";
import { forgetShadowRoots, nodes } from "../query.ts";
import { isFinal, isStatic } from "../static.ts";
import { isWindowed } from "../windows/windowed.ts";
import { doubtsOf } from "./field-doubts.ts";
import { withEnds } from "./field-nodes.ts";
import { forgetParts, notePart } from "./read-parts.ts";
import {
  contentOf,
  fullContentOf,
  hasChanged,
  type KnownList,
  keepsPlaces,
  knownList,
  mayBeKnown,
  newRows,
  remember,
} from "./row-identity.ts";
import { arePlaceholders, forgetValues, listRows, readRows, withoutPlaceholders } from "./rows.ts";
import { findLazyImages, mayBeUnseen, mayChangeInView, reveal } from "./unseen.ts";

/** A list at one look. */
interface Look {
  rows: Element[];
  /** The requested rows. Of added rows, only those that are filled. */
  wanted: Element[];
  /** Whether what is asked for is there. */
  isThere: boolean;
}

function look(request: ReadRequest, before: KnownList | undefined): Look {
  const { fields, part } = request;
  const rows = listRows(request);
  if (part === "grown") {
    const fresh = newRows(rows, before);
    const filled = withoutPlaceholders(fresh, fields);
    return { rows, wanted: filled.length > 0 ? filled : fresh, isThere: fresh.length > 0 };
  }
  const isNew = part === "all" || !before || hasChanged(rows, before, fields);
  return { rows, wanted: rows, isThere: rows.length > 0 && isNew };
}

/** Presses what leads on to the next page, and takes that back. */
export interface Leaving {
  go(): void;
  stay(): void;
}

const STAYING: Leaving = { go() {}, stay() {} };

/** Reads rows of a list. */
export const readList = async (request: ReadRequest): Promise<Json<ListAnswer>> =>
  answer(await rowsOf(request));

/** Whether a list has rows that came since the last answer. */
export function hasUnread(asked: ReadRequest): boolean {
  const request = withEnds(asked);
  const before = knownList(request.selector);
  const { rows, isThere } = look(request, before);
  return isThere && keepsPlaces(rows, before);
}

/** @param leaving takes the page on as soon as its rows are certain, if more are wanted */
export async function rowsOf(asked: ReadRequest, leaving = STAYING): Promise<WithRows | WithoutRows> {
  const request = withEnds(asked);
  const { selector, fields, part, isLast } = request;
  const before = knownList(selector);
  if (part !== "grown") forgetShadowRoots();
  const found = look(request, before);
  const { rows } = found;
  if ((rows.length === 0 || arePlaceholders(rows, fields)) && !isLast && !isFinal())
    return { state: "missing" };
  if (found.isThere) return readNow(request, found, before, leaving);
  const problem = isJson(selector) ? jsonProblem(selector, nodes) : undefined;
  return { state: rows.length > 0 ? "same" : "missing", problem };
}

async function readNow(
  request: ReadRequest,
  found: Look,
  before: KnownList | undefined,
  leaving: Leaving,
): Promise<WithRows> {
  const { selector, fields, part, limit } = request;
  const isPart = part === "grown";
  if (!isPart) forgetValues();
  // Where nothing runs, the rows stay as they are while the next document is requested.
  if (isStatic() && found.wanted.length < limit) leaving.go();
  let { rows, wanted } = found;
  let taken = wanted.slice(0, limit);
  let cells = readRows(taken, fields);
  const isUnseen = () => mayBeUnseen({ rows: taken, fields, isPart }, cells);
  let isUnfilled = isUnseen();
  const mayReveal = (isUnfilled || mayChangeInView(taken)) && !keepsRowsBack(request, taken, cells);
  const revealed = mayReveal ? await reveal({ rows: taken, fields, isPart }) : undefined;
  if (revealed) {
    // Scrolling may also add rows. They are read when the pagination asks for more.
    ({ rows, wanted } = look(request, before));
    taken = wanted.slice(0, taken.length);
    cells = readRows(taken, fields);
    isUnfilled = isUnseen();
  }
  if (!isPart) forgetParts();
  notePart(request, taken, cells);
  const values = portion(cells);
  if (values.rest > 0 || values.oversize) leaving.stay();
  if (values.oversize) return { state: "rows", windowed: false, hasGap: false, ...values };
  const later = new Set(revealed && taken.length < limit ? wanted.slice(taken.length) : []);
  if (later.size > 0) rows = rows.filter((row) => !later.has(row));
  const list = remember(selector, rows, isPart ? before : undefined);
  // After a press by script or pointer, the list must differ from this content.
  if (request.withContent) list.content = contentOf(rows, fields);
  const identity = request.withContent
    ? { content: fullContentOf(taken, fields, list.content), storageState: readStorageState() }
    : undefined;
  const wantsMore = limit > taken.length && values.rest === 0;
  const windowed = wantsMore && !isPart && keepsRowsBack(request, rows, cells);
  if (wantsMore && !windowed && !isStatic()) leaving.go();
  const hasGap = isPart && before !== undefined && mayBeKnown(rows, before);
  const unfilled = isUnfilled
    ? {
        hasUnseen: revealed?.isCut === true,
        lazyImages: findLazyImages({ rows: taken, fields, isPart }, cells),
      }
    : undefined;
  const doubts = isPart ? undefined : doubtsOf(taken, fields);
  return { state: "rows", ...values, windowed, hasGap, unfilled, doubts, identity };
}

/** Whether rows are missing from the document. */
const keepsRowsBack = (
  { fields, isWhole }: ReadRequest,
  rows: Element[],
  cells: (string | null)[][],
): boolean => !isWhole && isWindowed(rows, fields, cells);

/**
 * The cookies and the local storage that the page's scripts can use, as a string to compare; "" if the page has no scripts.
 * Null if there is session storage, which other tabs don't have, or if the state is too large to compare.
 */
export function readStorageState(): string | null {
  if (isStatic()) return "";
  try {
    if (window.name !== "" || sessionStorage.length > 0) return null;
    const state = JSON.stringify([document.cookie, Object.entries(localStorage)]);
    return state.length <= KEPT.state ? state : null;
  } catch {
    // A sandboxed page has no storage.
    return null;
  }
}
