/// <reference lib="dom" />

import { KEPT } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { type Choice, chooseControl, markControl } from "../controls.ts";
import { settle, waitUntil } from "../host.ts";
import { isJson } from "../json/protocol.ts";
import { jsonProblem } from "../json/reader.ts";
import { readPainted } from "../layout.ts";
import { addressOf, isDisabled, press } from "../press.ts";
import type {
  ControlFound,
  ControlLook,
  ControlRequest,
  Json,
  ListAnswer,
  PreloadedPage,
  PressAnswer,
  PressedAfter,
  ReadRequest,
} from "../protocol.ts";
import { forgetShadowRoots, nodes } from "../query.ts";
import { isStatic } from "../static.ts";
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

/** Looks for a list repeatedly while the page script waits for it. */
interface Lookup {
  /** The rows of the last look. */
  rows(): Element[];
  /** Looks again. Returns whether what is asked for is there. */
  isThere(): boolean;
  /** The requested rows. Of added rows, only those that are filled. */
  wanted(): Element[];
}

function createLookup(request: ReadRequest, before?: KnownList): Lookup {
  const { fields, part, byContent = false } = request;
  let rows: Element[] = [];
  const wanted = () => {
    if (part !== "grown") return rows;
    const fresh = newRows(rows, before);
    const filled = withoutPlaceholders(fresh, fields);
    return filled.length > 0 ? filled : fresh;
  };
  return {
    rows: () => rows,
    wanted,
    isThere() {
      rows = listRows(request);
      if (part === "changed" && before)
        return rows.length > 0 && hasChanged(rows, before, { fields, byContent });
      return wanted().length > 0;
    },
  };
}

/** Reads rows of a list. */
export async function readList(asked: ReadRequest): Promise<Json<ListAnswer>> {
  const request = withEnds(asked);
  const { selector, fields, part, waitMs, marked, early } = request;
  const before = knownList(selector);
  const lookup = createLookup(request, before);
  if (part !== "grown") forgetShadowRoots();
  // Rows that came since the last answer are read before more are asked for.
  const hasUnread = part === "grown" && lookup.isThere() && keepsPlaces(lookup.rows(), before);
  if (request.press && !hasUnread) {
    const pressed = press(chooseControl(request.press));
    if (pressed === "ambiguous" || pressed === "no_control" || pressed === "disabled")
      return answer({ state: pressed });
    await settle({ acted: true });
  }
  if (!lookup.isThere() || arePlaceholders(lookup.rows(), fields)) {
    const isMissing = () => lookup.rows().length === 0 || arePlaceholders(lookup.rows(), fields);
    if (isMissing() && !marked && !early) await waitUntil(() => lookup.isThere() && !isMissing(), waitMs);
    if (!lookup.isThere()) {
      const problem = isJson(selector) ? jsonProblem(selector, nodes) : undefined;
      return answer({ state: lookup.rows().length > 0 ? "same" : "missing", problem });
    }
  }
  return readNow(request, lookup, before);
}

async function readNow(
  request: ReadRequest,
  lookup: Lookup,
  before: KnownList | undefined,
): Promise<Json<ListAnswer>> {
  const { selector, fields, part, limit } = request;
  const isPart = part === "grown";
  if (!isPart) forgetValues();
  // Where nothing runs, the rows stay as they are while the next document is requested.
  let pressed = isStatic() && lookup.wanted().length < limit ? tryToLeave(request) : undefined;
  const stay = () => {
    if (pressed?.result === "leaving") window.stop();
    pressed = undefined;
  };
  let taken: Element[] = [];
  let most = limit;
  let isFirst = true;
  const read = () =>
    readPainted(() => {
      if (!isFirst) lookup.isThere();
      isFirst = false;
      taken = lookup.wanted().slice(0, most);
      return readRows(taken, fields);
    }, stay);
  let cells = await read().catch((error) => {
    stay();
    throw error;
  });
  const isUnseen = () => mayBeUnseen({ rows: taken, fields, isPart }, cells);
  let isUnfilled = isUnseen();
  const mayReveal = (isUnfilled || mayChangeInView(taken)) && !keepsRowsBack(request, taken, cells);
  const revealed = mayReveal ? await reveal({ rows: taken, fields, isPart }) : undefined;
  if (revealed) {
    // Scrolling may also add rows. They are read when the pagination asks for more.
    most = taken.length;
    cells = await read();
    isUnfilled = isUnseen();
  }
  if (!isPart) forgetParts();
  notePart(request, taken, cells);
  const values = portion(cells);
  if (values.rest > 0 || values.oversize) stay();
  if (values.oversize) return answer({ state: "rows", windowed: false, hasGap: false, ...values });
  const later = new Set(most < limit ? lookup.wanted().slice(most) : []);
  const rows = later.size > 0 ? lookup.rows().filter((row) => !later.has(row)) : lookup.rows();
  const list = remember(selector, rows, isPart ? before : undefined);
  // After a press by script or pointer, the list must differ from this content.
  if (request.withContent) list.content = contentOf(rows, fields);
  const identity = request.withContent
    ? { content: fullContentOf(taken, fields, list.content), storageState: readStorageState() }
    : undefined;
  const wantsMore = limit > taken.length && values.rest === 0;
  const windowed = wantsMore && !isPart && keepsRowsBack(request, rows, cells);
  if (wantsMore && !windowed && !isStatic()) pressed = tryToLeave(request);
  const hasGap = isPart && before !== undefined && mayBeKnown(rows, before);
  const unfilled = isUnfilled
    ? {
        hasUnseen: revealed?.isCut === true,
        lazyImages: findLazyImages({ rows: taken, fields, isPart }, cells),
      }
    : undefined;
  const doubts = isPart ? undefined : doubtsOf(taken, fields);
  return answer({ state: "rows", ...values, windowed, hasGap, unfilled, doubts, identity, pressed });
}

/** Whether rows are missing from the document. */
const keepsRowsBack = (
  { fields, isWhole }: ReadRequest,
  rows: Element[],
  cells: (string | null)[][],
): boolean => !isWhole && isWindowed(rows, fields, cells);

/**
 * Presses a control that leads to another document, and no other: that may change what the rows say, by a style rule.
 * Errors are ignored so that the rows are not lost; a later press reports them.
 */
function tryToLeave({ pressAfter }: ReadRequest): PressedAfter | undefined {
  if (!pressAfter || document.readyState === "loading") return undefined;
  try {
    const chosen = chooseControl(pressAfter);
    // For an exact fit, the effect of the press is all that the answer needs.
    if (chosen.fit !== null && chosen.fit !== "exact") return undefined;
    const { element } = chosen;
    const target = element && addressOf(element);
    if (element && target === null && !isDisabled(element)) return undefined;
    const result = press(chosen, true);
    return result === "elsewhere" || result === "ambiguous" ? undefined : { result, target };
  } catch {
    return undefined;
  }
}

const foundOf = ({ exists, fit, name, rivals }: Choice): ControlFound => ({ exists, fit, name, rivals });

export function pressControl({ onlyHere, preloaded, ...control }: ControlRequest): PressAnswer {
  const chosen = chooseControl(control);
  const address = chosen.element && addressOf(chosen.element);
  const wasKept = preloaded && keepDocument(preloaded);
  const how = press(chosen, onlyHere);
  return { ...foundOf(chosen), address, how: wasKept?.() ? "kept" : how };
}

/** Looks for a control, and marks it. */
export function lookAtControl(control: ControlRequest): ControlLook {
  const chosen = chooseControl(control);
  const { element } = chosen;
  markControl(chosen);
  return {
    ...foundOf(chosen),
    isDisabled: element !== null && isDisabled(element),
    address: element && addressOf(element),
  };
}

/**
 * The cookies and the local storage that the page's scripts can use, as a string to compare; "" if the page has no scripts.
 * Null if there is session storage, which other tabs don't have, or if the state is too large to compare.
 */
function readStorageState(): string | null {
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

/**
 * Keeps this document: cancels its next navigation if that leads to the preloaded page, and if nothing has changed that this
 * page could see.
 * @returns a function that stops this, and returns whether the document was kept
 */
function keepDocument({ address, storageState }: PreloadedPage): () => boolean {
  let isKept = false;
  const onNavigate = (event: NavigateEvent) => {
    isKept =
      event.destination.url === address &&
      event.cancelable &&
      event.formData === null &&
      !event.defaultPrevented &&
      readStorageState() === storageState;
    if (isKept) event.preventDefault();
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => {
    navigation.removeEventListener("navigate", onNavigate);
    return isKept;
  };
}
