/// <reference lib="dom" />
import { finishAnimations } from "../animations.ts";
import { watchChanges } from "../changes.ts";
import { addressOf, type Choice, chooseControl, isDisabled, markControl, press } from "../controls.ts";
import { loadedStyles, stylesAreLoaded } from "../loaded-styles.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import type {
  Control,
  ControlFound,
  ControlLook,
  ControlRequest,
  Json,
  PressAnswer,
  TakeAnswer,
  TakeRequest,
} from "../protocol.ts";
import { all, forgetShadowRoots } from "../query.ts";
import { content, countdown, filled, isFinal, startedUp, usableControl } from "../readiness.ts";
import { isStatic } from "../static.ts";
import { moments, parsed, until } from "../waiting.ts";
import { isWindowed, mayBeWindowed } from "../windows/windowed.ts";
import { holdDocument, keptState } from "./hold.ts";
import { noteTaken } from "./last-taken.ts";
import { listAnswer } from "./list-answer.ts";
import { reveal } from "./reveal.ts";
import {
  contentOf,
  fullContentOf,
  hasChanged,
  type KnownList,
  knownList,
  mayBeKnown,
  newRows,
  remember,
} from "./row-identity.ts";
import { arePlaceholders, readRows, withoutPlaceholders } from "./rows.ts";
import { forgetParts, notePart } from "./taken-parts.ts";
import { imagesElsewhere, mayBeUnseen } from "./unseen.ts";
import { forgetValues } from "./values-in-view.ts";

/** How long a list that changed stays the same until it counts as complete, and the longest wait for that, in ms. */
const STILL_MS = 250;
const STILL_MAX_MS = 2_000;
/** How many frames a list may take to find out how many rows it has room for. */
const DRAWING_FRAMES = 3;

/** Notes what a list shows, so that a later `changed` can tell whether it became another. */
export function noteList({ selector }: { selector: string }): void {
  const rows = all(document, selector);
  remember(selector, rows).content = contentOf(rows);
}

/** Looks a list up again and again while it is waited for. */
interface Lookup {
  /** The rows of the last look. */
  rows(): Element[];
  /** Looks again. Returns whether what is asked for is there. */
  isThere(): boolean;
  /** The rows that are asked for; of those that come one after another, only the ones that are filled. */
  wanted(): Element[];
}

function createLookup(
  { selector, fields, part, byContent = false, acceptPlaceholders }: TakeRequest,
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
      if (part === "changed" && before) return rows.length > 0 && hasChanged(rows, before, byContent);
      return wanted().length > 0;
    },
  };
}

/** Waits until a list that changed is complete: its old rows may fade out, and its rows come one after another. */
async function standsStill(lookup: Lookup): Promise<void> {
  const look = () => {
    lookup.isThere();
    return lookup.rows();
  };
  await finishAnimations(look);
  for (const { left } = countdown(STILL_MAX_MS); left() > 0; ) {
    const before = contentOf(look());
    if (!(await until(() => contentOf(look()) !== before, STILL_MS))) return;
  }
}

/** Waits for a list and reads rows of it. */
export async function takeList(request: TakeRequest): Promise<Json<TakeAnswer>> {
  if (request.marked) watchChanges();
  const { left } = countdown(request.waitMs);
  const { selector, fields, part, acceptPlaceholders } = request;
  if (document.readyState === "loading")
    await parsed(() => all(document, selector).length > 0, request.waitMs);
  await startedUp(request.waitMs);
  const before = knownList(selector);
  const lookup = createLookup(request, before);
  if (part !== "grown") forgetShadowRoots();
  if (request.press) {
    await usableControl(request.press);
    const pressed = press(chooseControl(request.press));
    if (pressed === "ambiguous") return listAnswer("no_control", { after: "ambiguous" });
    if (pressed === "no_control" || pressed === "disabled") return listAnswer(pressed);
  }
  const isReady = lookup.isThere() && stylesAreLoaded();
  if (!isReady && !lookup.isThere()) {
    const isHopeless = () => !before && isFinal();
    if (!(await content(lookup.isThere, left, { pressed: request.press !== undefined, isHopeless }))) {
      const hasPlaceholders = part === "grown" && newRows(lookup.rows(), before).length > 0;
      const state = lookup.rows().length > 0 ? "same" : "missing";
      return listAnswer(hasPlaceholders ? "placeholder" : state);
    }
  }
  const isFilled = () => !arePlaceholders(lookup.rows(), fields);
  if (!acceptPlaceholders && !isFilled()) {
    if (!(await filled(() => lookup.isThere() && isFilled(), left()))) return listAnswer("placeholder");
  }
  await loadedStyles(left());
  if (before && part === "changed") await standsStill(lookup);
  if (!isReady) lookup.isThere();
  return readList(request, lookup, before);
}

async function readList(
  request: TakeRequest,
  lookup: Lookup,
  before: KnownList | undefined,
): Promise<Json<TakeAnswer>> {
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
    // Scrolling may also bring more rows, which belong to a pagination that asks for them.
    most = taken.length;
    cells = await read();
    isUnfilled = isUnseen();
  }
  if (!isPart) forgetParts();
  notePart(request, taken, cells);
  if (isPart) noteTaken(request, taken, before);
  else watchChanges({ of: taken, isContinued: request.marked });
  const values = portion(cells);
  if (values.oversize) return listAnswer("rows", values);
  const later = new Set(most < limit ? lookup.wanted().slice(most) : []);
  const rows = later.size > 0 ? lookup.rows().filter((row) => !later.has(row)) : lookup.rows();
  const known = isPart && !request.acceptPlaceholders ? withoutPlaceholders(rows, fields) : rows;
  const list = remember(selector, known, isPart ? before : undefined);
  // A press has to change what identifies the page, whether the page script or the pointer makes it.
  if (request.withContent) list.content = contentOf(rows);
  const content = request.withContent ? fullContentOf(taken, list.content) : "";
  const kept = request.withContent ? keptState() : null;
  const wantsMore = limit > taken.length && values.rest === 0;
  // Where scripts may still change the list, or not all of it is handed over, the press is left for later.
  const isSettled = document.readyState !== "loading" && isStatic();
  const pressed = request.pressAfter && wantsMore && isSettled ? tryToPress(request.pressAfter) : {};
  const windowed = wantsMore && !isPart && (await keepsRowsBack(request, rows, cells));
  const gap = isPart && before !== undefined && mayBeKnown(rows, before);
  const unseen = isUnfilled && mayReveal && (!isAsked || revealed?.isCut === true);
  const elsewhere = isUnfilled ? imagesElsewhere({ rows: taken, fields, isPart }, cells) : [];
  const filling = { isUnfilled, unseen, elsewhere };
  return listAnswer("rows", { ...values, content, kept, windowed, gap, ...filling, ...pressed });
}

/** Whether rows are missing from the document, once the list that may keep some back is drawn. */
async function keepsRowsBack(
  { selector, fields, isWhole }: TakeRequest,
  rows: Element[],
  cells: (string | null)[][],
): Promise<boolean> {
  if (isWhole || !mayBeWindowed(rows)) return false;
  if (isWindowed(rows, fields, cells)) return true;
  await moments(DRAWING_FRAMES);
  return isWindowed(all(document, selector), fields, cells);
}

/** Why a control can't be pressed is reported when it is pressed by itself: the rows must not be lost by it. */
function tryToPress(control: Control): Partial<TakeAnswer> {
  try {
    const chosen = chooseControl(control);
    // For an exact fit, the effect of the press is all that the answer needs.
    if (chosen.fit !== null && chosen.fit !== "exact") return {};
    const target = chosen.element && addressOf(chosen.element);
    const after = press(chosen, true);
    return { target, after: after === "elsewhere" || after === "ambiguous" ? "none" : after };
  } catch {
    return {};
  }
}

const foundOf = ({ exists, fit, name, rivals }: Choice): ControlFound => ({ exists, fit, name, rivals });

export async function pressControl({
  onlyHere,
  restMs,
  hold,
  ...control
}: ControlRequest): Promise<PressAnswer> {
  await usableControl(control, { restMs });
  const chosen = chooseControl(control);
  const address = chosen.element && addressOf(chosen.element);
  const wasHeld = hold && holdDocument(hold);
  const how = press(chosen, onlyHere);
  return { ...foundOf(chosen), address, how: wasHeld?.() ? "held" : how };
}

/** Looks for a control, and marks it. */
export async function lookAtControl({ restMs, busyMs, ...control }: ControlRequest): Promise<ControlLook> {
  await usableControl(control, { restMs, busyMs });
  const chosen = chooseControl(control);
  const { element } = chosen;
  markControl(chosen);
  return {
    ...foundOf(chosen),
    isDisabled: element !== null && isDisabled(element),
    address: element && addressOf(element),
  };
}
