/// <reference lib="dom" />

import { KEPT } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { type Choice, chooseControl, chooseOther, markControl } from "../controls.ts";
import { isJson } from "../json/protocol.ts";
import { jsonProblem } from "../json/reader.ts";
import { addressOf, isDisabled, isInviting, press } from "../press.ts";
import type {
  ControlFound,
  ControlLook,
  ControlRequest,
  Json,
  ListAnswer,
  PreloadedPage,
  PressAnswer,
  ReadRequest,
  WithoutRows,
  WithRows,
} from "../protocol.ts";
import { all, forgetShadowRoots, nodes } from "../query.ts";
import { isFinal, isStatic } from "../static.ts";
import { isShown } from "../visibility.ts";
import { isWindowed } from "../windows/windowed.ts";
import { doubtsOf } from "./field-doubts.ts";
import { withEnds } from "./field-nodes.ts";
import { forgetParts, notePart } from "./read-parts.ts";
import {
  contentOf,
  fullContentOf,
  hasChanged,
  isCut,
  type KnownList,
  knownList,
  mayBeKnown,
  newRows,
  remember,
} from "./row-identity.ts";
import { arePlaceholders, forgetValues, listRows, withoutPlaceholders } from "./rows.ts";
import { readInView } from "./unseen.ts";

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

/** Reads rows of a list. */
export const readList = async (request: ReadRequest): Promise<Json<ListAnswer>> =>
  answer(await rowsOf(request));

async function rowsOf(asked: ReadRequest): Promise<WithRows | WithoutRows> {
  const request = withEnds(asked);
  const { selector, fields, part, isLast } = request;
  const before = knownList(selector);
  if (part !== "grown") forgetShadowRoots();
  const found = look(request, before);
  const { rows } = found;
  if ((rows.length === 0 || arePlaceholders(rows, fields)) && !isLast && !isFinal())
    return { state: "missing" };
  if (found.isThere) return readNow(request, found, before);
  if (rows.length > 0 && part === "grown" && before && isCut(rows, before)) return { state: "fewer" };
  const problem = isJson(selector) ? jsonProblem(selector, nodes) : undefined;
  return { state: rows.length > 0 ? "same" : "missing", problem };
}

async function readNow(request: ReadRequest, found: Look, before: KnownList | undefined): Promise<WithRows> {
  const { fields, part, limit } = request;
  const isPart = part === "grown";
  if (!isPart) forgetValues();
  const wanted = found.wanted.slice(0, limit);
  const lookAgain = () => look(request, before);
  const read = await readInView(
    { rows: wanted, fields, isPart },
    () => lookAgain().wanted,
    (cells) => !keepsRowsBack(request, found.rows, cells),
  );
  const { rows: taken, cells, isRevealed, unfilled } = read;
  if (!isPart) forgetParts();
  notePart(request, taken, cells);
  const values = portion(cells);
  if (values.oversize) return { state: "rows", windowed: false, hasGap: false, ...values };
  const now = isRevealed ? lookAgain() : found;
  // To come into view may also have added rows. They are read when the pagination asks for more.
  const later = new Set(isRevealed && taken.length < limit ? now.wanted : []);
  for (const row of taken) later.delete(row);
  const rows = now.rows.filter((row) => !later.has(row));
  const list = remember(request, rows, isPart ? before : undefined);
  // After a press by script or pointer, the list must differ from this content.
  if (request.withContent) list.content = contentOf(rows, fields);
  const identity = request.withContent
    ? {
        content: fullContentOf(taken, fields, cells),
        texts: contentOf(taken, fields),
        storageState: readStorageState(),
      }
    : undefined;
  const windowed = values.rest === 0 && !isPart && keepsRowsBack(request, rows, cells);
  const hasGap = isPart && before !== undefined && mayBeKnown(rows, before);
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

const foundOf = ({ exists, fit, name, rivals }: Choice): ControlFound => ({ exists, fit, name, rivals });

/** Where the first row of a control's list is, and which rows a person can see; undefined where nobody asks. */
function viewOf({ list, withView }: ControlRequest): string | undefined {
  const rows = withView && list !== undefined ? all(document, list) : [];
  const [first] = rows;
  if (!first) return undefined;
  const areShown = rows.map(isShown);
  const left = Math.round(first.getBoundingClientRect().left);
  return [left, areShown.indexOf(true), areShown.filter(Boolean).length].join();
}

export function pressControl({ preloaded, ...control }: ControlRequest): PressAnswer {
  const chosen = chooseControl(control);
  const view = viewOf(control);
  const address = chosen.element && addressOf(chosen.element);
  const wasKept = preloaded && keepDocument(preloaded);
  const how = press(chosen, control);
  return { ...foundOf(chosen), address, view, how: wasKept?.() ? "kept" : how };
}

/** Looks for a control, and marks it. */
export function lookAtControl({ isOther, ...control }: ControlRequest): ControlLook {
  const chosen = isOther ? chooseOther(control) : chooseControl(control);
  const { element } = chosen;
  markControl(chosen);
  return {
    ...foundOf(chosen),
    isDisabled: element !== null && isDisabled(element, control.list),
    isInviting: element !== null && isInviting(element),
    address: element && addressOf(element),
    view: viewOf(control),
  };
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
