/// <reference lib="dom" />
import { finishAnimations } from "../animations.ts";
import { watchChanges } from "../changes.ts";
import { addressOf, type Choice, chooseControl, isDisabled, markControl, press } from "../controls.ts";
import { stylesAreLoaded, waitForStyles } from "../loaded-styles.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import type {
  Control,
  ControlFound,
  ControlLook,
  ControlRequest,
  FieldRequest,
  Json,
  ListAnswer,
  PressAnswer,
  ReadRequest,
} from "../protocol.ts";
import { all, forgetShadowRoots } from "../query.ts";
import {
  countdown,
  isFinal,
  waitForContent,
  waitForScripts,
  waitForUsableControl,
  waitUntilFilled,
} from "../readiness.ts";
import { isStatic } from "../static.ts";
import { waitFramesAndTime, waitUntil, waitUntilParsed } from "../waiting.ts";
import { isWindowed, mayBeWindowed } from "../windows/windowed.ts";
import { noteRead } from "./last-read.ts";
import { listAnswer } from "./list-answer.ts";
import { keepDocument, readStorageState } from "./preloaded-page.ts";
import { forgetParts, notePart } from "./read-parts.ts";
import { reveal } from "./reveal.ts";
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
import { arePlaceholders, readRows, withoutPlaceholders } from "./rows.ts";
import { findLazyImages, mayBeUnseen } from "./unseen.ts";
import { forgetValues } from "./values-in-view.ts";

/** How long a list that changed stays the same until it counts as complete, and the longest wait for that, in ms. */
const STILL_MS = 250;
const STILL_MAX_MS = 2_000;
/** How many frames a list may take to find out how many rows it has room for. */
const DRAWING_FRAMES = 3;

/** Notes what a list shows, so that a later `changed` can tell whether it became another. */
export function noteList({ selector, fields }: Pick<ReadRequest, "selector" | "fields">): void {
  const rows = all(document, selector);
  remember(selector, rows).content = contentOf(rows, fields);
}

/** Looks for a list repeatedly while the page script waits for it. */
interface Lookup {
  /** The rows of the last look. */
  rows(): Element[];
  /** Looks again. Returns whether what is asked for is there. */
  isThere(): boolean;
  /** The requested rows. Of added rows, only those that are filled. */
  wanted(): Element[];
}

function createLookup(
  { selector, fields, part, byContent = false, acceptPlaceholders }: ReadRequest,
  before?: KnownList,
): Lookup {
  let rows: Element[] = [];
  const wanted = () => {
    if (part !== "grown") return rows;
    const fresh = newRows(rows, before);
    return acceptPlaceholders ? fresh : withoutPlaceholders(fresh, fields);
  };
  return {
    rows: () => rows,
    wanted,
    isThere() {
      rows = all(document, selector);
      if (part === "changed" && before)
        return rows.length > 0 && hasChanged(rows, before, { fields, byContent });
      return wanted().length > 0;
    },
  };
}

/** Waits until a changed list is complete, because old rows may fade out and new rows may come one after another. */
async function waitUntilComplete(lookup: Lookup, fields: readonly FieldRequest[]): Promise<void> {
  const look = () => {
    lookup.isThere();
    return lookup.rows();
  };
  await finishAnimations(look);
  for (const { left } = countdown(STILL_MAX_MS); left() > 0; ) {
    const before = contentOf(look(), fields);
    if (!(await waitUntil(() => contentOf(look(), fields) !== before, STILL_MS))) return;
  }
}

/** Waits for a list and reads rows of it. */
export async function readList(request: ReadRequest): Promise<Json<ListAnswer>> {
  const { left } = countdown(request.waitMs);
  const { selector, fields, part, acceptPlaceholders } = request;
  if (document.readyState === "loading")
    await waitUntilParsed(() => all(document, selector).length > 0, request.waitMs);
  await waitForScripts(request.waitMs);
  const before = knownList(selector);
  const lookup = createLookup(request, before);
  if (part !== "grown") forgetShadowRoots();
  // Rows that came since the last answer are read before more are asked for.
  const hasUnread = part === "grown" && lookup.isThere() && keepsPlaces(lookup.rows(), before);
  if (request.press && !hasUnread) {
    await waitForUsableControl(request.press);
    const pressed = press(chooseControl(request.press));
    if (pressed === "ambiguous") return listAnswer("no_control", { pressResult: "ambiguous" });
    if (pressed === "no_control" || pressed === "disabled") return listAnswer(pressed);
  }
  const wasThere = lookup.isThere();
  const isReady = wasThere && stylesAreLoaded();
  if (!wasThere) {
    const isImpossible = () => !before && isFinal();
    if (
      !(await waitForContent(lookup.isThere, left, { pressed: request.press !== undefined, isImpossible }))
    ) {
      const hasPlaceholders = part === "grown" && newRows(lookup.rows(), before).length > 0;
      const state = lookup.rows().length > 0 ? "same" : "missing";
      return listAnswer(hasPlaceholders ? "placeholder" : state);
    }
  }
  const isFilled = () => !arePlaceholders(lookup.rows(), fields);
  if (!acceptPlaceholders && !isFilled()) {
    if (!(await waitUntilFilled(() => lookup.isThere() && isFilled(), left())))
      return listAnswer("placeholder");
  }
  await waitForStyles(left());
  if (before && part === "changed") await waitUntilComplete(lookup, fields);
  if (!isReady) lookup.isThere();
  return readNow(request, lookup, before);
}

async function readNow(
  request: ReadRequest,
  lookup: Lookup,
  before: KnownList | undefined,
): Promise<Json<ListAnswer>> {
  const { selector, fields, part, limit } = request;
  const isPart = part === "grown";
  if (!isPart && !request.reveal) forgetValues();
  let taken: Element[] = [];
  let most = limit;
  let isFirst = true;
  const read = () =>
    readPainted(() => {
      if (!isFirst) lookup.isThere();
      isFirst = false;
      taken = lookup.wanted().slice(0, most);
      return readRows(taken, fields);
    });
  let cells = await read();
  const isUnseen = () => mayBeUnseen({ rows: taken, fields, isPart }, cells);
  let isUnfilled = isUnseen();
  const mayReveal = isUnfilled && !(await keepsRowsBack(request, taken, cells));
  const isAsked = isPart || request.reveal;
  const revealed = mayReveal && isAsked ? await reveal({ rows: taken, fields, isPart }) : undefined;
  if (revealed) {
    // Scrolling may also add rows. They are read when the pagination asks for more.
    most = taken.length;
    cells = await read();
    isUnfilled = isUnseen();
  }
  if (!isPart) forgetParts();
  notePart(request, taken, cells);
  if (isPart) noteRead(request, taken, before);
  else watchChanges({ of: taken, isContinued: request.marked });
  const values = portion(cells);
  if (values.oversize) return listAnswer("rows", values);
  const later = new Set(most < limit ? lookup.wanted().slice(most) : []);
  const rows = later.size > 0 ? lookup.rows().filter((row) => !later.has(row)) : lookup.rows();
  const known = isPart && !request.acceptPlaceholders ? withoutPlaceholders(rows, fields) : rows;
  const list = remember(selector, known, isPart ? before : undefined);
  // After a press by script or pointer, the list must differ from this content.
  if (request.withContent) list.content = contentOf(rows, fields);
  const content = request.withContent ? fullContentOf(taken, fields, list.content) : "";
  const storageState = request.withContent ? readStorageState() : null;
  const wantsMore = limit > taken.length && values.rest === 0;
  // If scripts may still change the list, or if more rows follow in another answer, the press is left for later.
  const isComplete = document.readyState !== "loading" && isStatic();
  const pressed = request.pressAfter && wantsMore && isComplete ? tryToPress(request.pressAfter) : {};
  const windowed = wantsMore && !isPart && (await keepsRowsBack(request, rows, cells));
  const hasGap = isPart && before !== undefined && mayBeKnown(rows, before);
  const hasUnseen = isUnfilled && mayReveal && (!isAsked || revealed?.isCut === true);
  const lazyImages = isUnfilled ? findLazyImages({ rows: taken, fields, isPart }, cells) : [];
  const filling = { isUnfilled, hasUnseen, lazyImages };
  return listAnswer("rows", { ...values, content, storageState, windowed, hasGap, ...filling, ...pressed });
}

/** Whether rows are missing from the document, once the list that may keep some back is drawn. */
async function keepsRowsBack(
  { selector, fields, isWhole }: ReadRequest,
  rows: Element[],
  cells: (string | null)[][],
): Promise<boolean> {
  if (isWhole || !mayBeWindowed(rows)) return false;
  if (isWindowed(rows, fields, cells)) return true;
  await waitFramesAndTime(DRAWING_FRAMES);
  return isWindowed(all(document, selector), fields, cells);
}

/** Presses a control after the rows were read. Errors are ignored so that the rows are not lost; a later press reports them. */
function tryToPress(control: Control): Partial<ListAnswer> {
  try {
    const chosen = chooseControl(control);
    // For an exact fit, the effect of the press is all that the answer needs.
    if (chosen.fit !== null && chosen.fit !== "exact") return {};
    const target = chosen.element && addressOf(chosen.element);
    const pressResult = press(chosen, true);
    return {
      target,
      pressResult: pressResult === "elsewhere" || pressResult === "ambiguous" ? "none" : pressResult,
    };
  } catch {
    return {};
  }
}

const foundOf = ({ exists, fit, name, rivals }: Choice): ControlFound => ({ exists, fit, name, rivals });

export async function pressControl({
  onlyHere,
  restMs,
  preloaded,
  ...control
}: ControlRequest): Promise<PressAnswer> {
  await waitForUsableControl(control, { restMs });
  const chosen = chooseControl(control);
  const address = chosen.element && addressOf(chosen.element);
  const wasKept = preloaded && keepDocument(preloaded);
  const how = press(chosen, onlyHere);
  return { ...foundOf(chosen), address, how: wasKept?.() ? "kept" : how };
}

/** Looks for a control, and marks it. */
export async function lookAtControl({ restMs, busyMs, ...control }: ControlRequest): Promise<ControlLook> {
  await waitForUsableControl(control, { restMs, busyMs });
  const chosen = chooseControl(control);
  const { element } = chosen;
  markControl(chosen);
  return {
    ...foundOf(chosen),
    isDisabled: element !== null && isDisabled(element),
    address: element && addressOf(element),
  };
}
