import type { JsonProblem } from "./json/protocol.ts";

/** Messages between the engine and the page script: plain JSON. */

/** The name of the page script in the isolated world that it runs in. */
export const PAGE_SCRIPT = "__gleaner";
/** The error of a field in a frame of another origin. */
export const FOREIGN_FRAME = "GleanerForeignFrame";

/** JSON text of a `T`. The page serializes large answers itself: one string crosses much faster than an object. */
export type Json<T> = string & { readonly json?: T };

/** The attribute of marks, and the beginning of their other attributes. */
export const MARK = "data-gleaner-mark";
/** The attribute of the control that was chosen, for the browser's own pointer. */
export const CONTROL_MARK = `${MARK}-control`;
/** The attribute of the row whose steps are performed. */
export const ROW_MARK = `${MARK}-each`;

/**
 * How the control's name matches the wanted name. `exact`: it is the same, apart from decoration. `part`: it contains the
 * wanted name. `row`: it is the same, but the control is in one of the list's rows.
 */
export type ControlFit = "exact" | "part" | "row";

/** The button or link that shows more of a list. */
export interface Control {
  selector?: string | undefined;
  /** What it is called; with a selector, the name that the selector looks for. */
  name?: string | undefined;
  /** The selector of the list's rows. */
  list?: string | undefined;
  /** The fit of the list's first control; a later one fits as well, or exactly. */
  fit?: ControlFit | undefined;
}

/** The result of looking for a control. */
export interface ControlFound {
  /** Whether there is one, maybe hidden. */
  exists: boolean;
  /** Null where there is none to press. */
  fit: ControlFit | null;
  name: string;
  /** Descriptions of several controls that match equally well and lead to different places. */
  rivals: string[];
}

/** One value: an element below the row (absent: the row itself), and what is read of it. */
export interface FieldRequest {
  selector?: string | undefined;
  /** The frames inside each other, from the outermost on, in whose document the selector is matched. */
  frame?: string | readonly string[] | undefined;
  /** The name of the column whose cell the selector is matched in, in place of the row. */
  column?: string | undefined;
  /** In a list of JSON: the path of the value in the row. */
  path?: string | undefined;
  attribute?: string | undefined;
  /** Whether the value is an address that is made absolute. */
  absolute?: boolean | undefined;
  text?: "text" | "full_text" | "own_text" | "value" | "html" | undefined;
  /** Whether all elements that the selector matches count, and what stands between their values. */
  all?: boolean | undefined;
  separator?: string | undefined;
  /**
   * The selectors of what ends a row: the next row, or what `until` matches. Absent where the field can find nothing
   * behind its row.
   */
  rows?: { selector: string; until?: string | undefined } | undefined;
  /** Rows within the row, as the value of the field: JSON of their `cells`. */
  list?:
    | { selector?: string | undefined; path?: string | undefined; fields: readonly FieldRequest[] }
    | undefined;
}

/** A value, or all values together (`field` is null), that exceeds its size limit. */
export interface Oversize {
  row: number;
  field: number | null;
  size: number;
}

/** As many rows as fit into one answer. */
export interface Portion {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** How many rows are left for `readRest`. */
  rest: number;
  oversize?: Oversize | undefined;
}

/** What an answer says of the document. */
export interface PageState {
  /** Whether nothing can change it any more. */
  isFinal: boolean;
  /** Whether the document was still loading. */
  isLoading: boolean;
  /** Whether the document has no content at all. */
  isBlank: boolean;
  /** The language that the document states; "" if it states none. */
  language: string;
}

/** The values of a page, as its only row; no row as long as nothing that is asked for is there. */
export interface PageAnswer extends Portion, PageState {
  /** Fields that find several values, as many as others do. */
  several: FieldDoubts["several"];
  /** Why the first field has no value, if it is one of JSON. */
  problem?: JsonProblem | undefined;
}

/** Which list is read, and what of it. */
export interface ListRequest {
  selector: string;
  /** The selector of what ends a row, beside the next row: a row is an element and its siblings up to that. */
  until?: string | undefined;
  fields: readonly FieldRequest[];
  /** The most rows to return. */
  limit: number;
  /** Whether the selectors match marks. Rows that are added later have no marks. */
  marked?: boolean | undefined;
}

export interface ReadRequest extends ListRequest {
  /**
   * `all`: the list as it is. `changed`: all of it, when it differs from what was last read or noted. `grown`: only the
   * rows that are new since then.
   */
  part: "all" | "changed" | "grown";
  /** Whether there is no time to wait for the list: then rows that look as if a script has yet to fill them count. */
  isLast: boolean;
  /** Whether all rows are known to be in the document, although the list keeps space free. */
  isWhole?: boolean | undefined;
  /** Whether to return the `identity` of the page. */
  withContent?: boolean | undefined;
}

export interface ScrollRequest extends ListRequest {
  /** Selector of the box to scroll; absent: the nearest scrollable box around the rows, else the page. */
  box?: string | undefined;
  /** For a windowed list. `begin`: start at its top. `rewind`: scroll back to its top at the end. */
  begin?: boolean;
  rewind?: boolean;
  /** Whether to scroll only once, even if that shows no new rows. */
  once?: boolean;
}

/** Asks for one row of the list that was read last. */
export interface RowRequest extends ListRequest {
  /** Its index in that answer, and the values that it had there. */
  index: number;
  values: readonly (string | null)[];
  /** How many rows before it had the same values. */
  before: number;
}

/** Tells that no more rows will be asked for. */
export interface RowsEnd extends Pick<ListRequest, "selector" | "fields"> {
  /** How many rows of a list that grows were read; null if it does not grow. */
  count: number | null;
}

/** What makes the values of fields doubtful, although rows have them. */
export interface FieldDoubts {
  /**
   * Fields, by their indexes, that find several values in `count` rows, and fewer in others. With `isHidden`, the first of
   * them is hidden in these rows, and another one is shown.
   */
  several: { field: number; count: number; isHidden?: boolean }[];
  /** Fields whose column may be several ones, by their names, which differ in `count` rows. The first one counts. */
  columns: { field: number; count: number; names: string[] }[];
  /** Rows of a table whose cells are not where their columns are, while fields are found by their positions. */
  shifted: number;
}

/** Lazy-loaded images: their address is not in the attribute that a field reads, but in another one. */
export interface LazyImages {
  field: number;
  attribute: string;
  /** Of how many rows. */
  count: number;
}

/** What is answered where no rows are. */
export interface WithoutRows {
  /**
   * `missing`: there was no list in time. `same`: it got no rows in time. `fewer`: it lost its last ones.
   * `no_control`: there is no box to scroll. `whole`: all rows are in the document, so the list is not windowed.
   * `gone`: the row that was asked for is not there.
   */
  state: "missing" | "same" | "fewer" | "no_control" | "whole" | "gone";
  /** Why a list of JSON is missing. */
  problem?: JsonProblem | undefined;
}

/** Rows of a list. */
export interface WithRows extends Portion {
  state: "rows";
  /** Whether the list is windowed: rows or columns seem to be missing from the document. */
  windowed: boolean;
  /** Whether rows of a windowed list may never have been shown, because it changed for other reasons than scrolling. */
  hasGap: boolean;
  /** Absent unless some rows look as if a script fills them when they come into view. */
  unfilled?:
    | {
        /** Whether some of these rows were not brought into view. */
        hasUnseen: boolean;
        /** Lazy-loaded images whose addresses the rows lack. */
        lazyImages: readonly LazyImages[];
      }
    | undefined;
  /** Absent for rows that were added to a list. */
  doubts?: FieldDoubts | undefined;
  /** What identifies the page, if the request asks for it. */
  identity?: ListIdentity | undefined;
}

/** The answer to a request for rows of a list. */
export type ListAnswer = PageState & { url: string } & (WithRows | WithoutRows);

/** The answer to a request for one row: whether its list is there, and it itself, and whether something covers it. */
export type FoundRow = PageState & { url: string } & (
    | { state: "missing" | "gone" }
    /** `expanded`: how many controls in the row state that they show something. */
    | { state: "rows"; isCovered: boolean; expanded: number }
  );

interface ListIdentity {
  /** What tells the page from others: all values and links of its rows, or all that they hold. */
  content: string;
  /** All that the rows hold. */
  texts: string;
  /**
   * The cookies and the local storage that the page's scripts can use, as a string to compare. Null: it can't be compared,
   * for example because there is session storage, which other tabs don't have.
   */
  storageState: string | null;
}

/** What a page says about the size of its list, and about errors; 0 and null if it says nothing. */
export interface DeclaredSize {
  /** Rows, without those of headers. */
  rows: number;
  /** Columns that are not in the document. */
  missingColumns: number;
  /** From a text such as "1–10 of 57": 1, 10 and 57. */
  range: { from: number; to: number; total: number } | null;
  /** From a text such as "Page 1 of 7": 1 and 7. */
  pages: { page: number; total: number } | null;
  /** Whether slides near the view may be all that exist. */
  areSlides: boolean;
  /** How many boxes the rows stand in, each of which scrolls by itself, if one keeps rows back; otherwise 0. */
  boxes: number;
  /** The name of a button that shows more rows. */
  moreButton: string | null;
  /** A text such as "Something went wrong. Try again". */
  loadError: string | null;
  /** Such a text that was shown for a while, after the last rows came. */
  passedError: string | null;
  /**
   * A text beside the list such as "No products found" or "Page not found", and whether it stands before the rows and names
   * what was searched for.
   */
  noResults: { said: string; isOfSearch: boolean } | null;
}

/** The fields of a whole page. */
export interface PageRequest extends Pick<ListRequest, "fields"> {
  /** Whether there is no time to wait for them. */
  isLast: boolean;
}

export interface ControlRequest extends Control {
  /** Whether the control is pressed only if it leads to no other site. */
  onlyHere?: boolean;
  /** The page that the control should lead to, if another tab has loaded it already. */
  preloaded?: PreloadedPage | undefined;
  /** Whether the control had no effect on the list, so that another like it is meant, if there is one. */
  isOther?: boolean;
  /** Whether to return the `view` of the list. */
  withView?: boolean | undefined;
}

/** A page that was loaded before a control led to it. */
export interface PreloadedPage {
  address: string;
  /** See `ListIdentity`. */
  storageState: string;
}

/** A control, and the address that it leads to, if it states one. */
export interface ControlLook extends ControlFound {
  isDisabled: boolean;
  /** Whether it seems to a person that a click has an effect. */
  isInviting: boolean;
  address: string | null;
  /** Where the list's first row is, and which rows a person can see, if the request asks for it and there are rows. */
  view: string | undefined;
}

/** The result of pressing a control. */
export type Pressed = "no_control" | "disabled" | "elsewhere" | "ambiguous" | "pressed" | "leaving";

export interface PressAnswer extends ControlFound {
  /** `kept`: the control leads to the page in `preloaded`, so the document was kept. */
  how: Pressed | "kept";
  /** The address that the control leads to, if it states one. */
  address: string | null;
  /** As in `ControlLook`, before the press. */
  view: string | undefined;
}

/** A point of the view, in pixels. */
export interface Spot {
  x: number;
  y: number;
}

/** An event of an element, which is prevented if the page wants to be told when something in it comes into view. */
export const OBSERVED = "gleaner-observed";
/**
 * The event of an element by which the page script asks whether the page is told of scrolling there. The world of the page's
 * own scripts cancels it if so.
 */
export const SCROLL_TOLD = "gleaner-scroll-told";
