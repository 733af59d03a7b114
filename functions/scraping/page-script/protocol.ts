import type { LearnedSheet } from "./sheet-protocol.ts";

/** What crosses between the engine and the page script: plain JSON. */

/** The name of the page script in the isolated world that it runs in. */
export const PAGE_SCRIPT = "__gleaner";

/** JSON text of a `T`. The page serializes large answers itself: one string crosses much faster than an object. */
export type Json<T> = string & { readonly json?: T };

/** The attribute of the control that was chosen, for the browser's own pointer. */
export const CONTROL_MARK = "data-gleaner-mark-control";

/**
 * How the control's name fits the one that is wanted. `exact`: it is the same, apart from what decorates it. `part`: the
 * wanted one is a part of it. `row`: it is the same, and stands in one of the list's rows.
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

/** What was found of a control. */
export interface ControlFound {
  /** Whether there is one, which may be hidden. */
  exists: boolean;
  /** Null where there is none to press. */
  fit: ControlFit | null;
  /** What it is called. */
  name: string;
  /** Several that fit equally well and lead to different places, as a person can tell them apart. */
  rivals: string[];
}

/** One value: an element below the row (absent: the row itself), and which of its attributes. */
export interface FieldRequest {
  selector?: string | undefined;
  attribute?: string | undefined;
}

/** A value, or all values together (`field` is null), that exceeds its size limit. */
export interface Oversize {
  /** From 0. */
  row: number;
  field: number | null;
  /** Characters. */
  size: number;
}

/** As many rows as fit into one answer. */
export interface Portion {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** How many rows `takeRest` still has. */
  rest: number;
  oversize?: Oversize | undefined;
}

/** What tells whether a page changes by itself after it was looked at. */
export interface PageState {
  /** A number that only this document has. */
  document: number;
  /** What style sheets can do that were read since the last answer. */
  learned: LearnedSheet[];
  /** Whether the document has no scripts that could change it later. */
  isStatic: boolean;
  /** Whether it was looked at as soon as that was possible. */
  isPrompt: boolean;
}

/** The values of a page, as its only row. */
export interface PageAnswer extends Portion, PageState {
  /** Whether bringing what was read into view may show more of it. */
  unseen: boolean;
}

/** Which list is read, and what of it. */
export interface ListRequest {
  selector: string;
  fields: readonly FieldRequest[];
  /** The most rows to return. */
  limit: number;
  /** Longest wait for what is asked for, in ms. */
  waitMs: number;
  /** Whether rows without any text count: they were waited for. */
  acceptPlaceholders?: boolean | undefined;
  /** Whether the selectors match marks, which rows that come later do not have. */
  marked?: boolean | undefined;
}

export interface TakeRequest extends ListRequest {
  /**
   * `all`: the list as it stands. `changed`: all of it, once it differs from what was last taken or noted. `grown`:
   * only rows that are new since.
   */
  part: "all" | "changed" | "grown";
  /** With `changed`: whether rows that were rendered again with the same content count as unchanged. */
  byContent?: boolean | undefined;
  /** Pressed before the list is read. */
  press?: Control | undefined;
  /** Pressed once the rows are read, if more rows are wanted and the control leads to no other site. */
  pressAfter?: Control | undefined;
  /** Whether to scroll for values that only come into view, until `stopShowing` is called. */
  reveal: boolean;
  /** Whether the list was found to have all of its rows in the document, although it keeps space free. */
  isWhole?: boolean | undefined;
  /** Whether to return the `content`, which identifies a page. */
  withContent?: boolean | undefined;
}

export interface ScrollRequest extends ListRequest {
  /** Whether a growing list is scrolled on as soon as its new rows are read, if more are wanted. */
  ahead: boolean;
  /** Selector of the box to scroll; absent: the nearest scrollable box around the rows, else the page. */
  box?: string | undefined;
  /** Where the page script should follow a window. `begin`: from its top. `rewind`: back to its top at the end. */
  begin?: boolean;
  rewind?: boolean;
  /** Whether to read the last window again. */
  again?: boolean;
  /** Whether to scroll only once where that brings nothing. */
  once?: boolean;
  /** How long to wait at the end of a window for more, in ms. */
  endMs: number;
}

/** Another attribute of images that have the addresses which a field does not get. */
export interface ImagesElsewhere {
  /** The index of the field. */
  field: number;
  attribute: string;
  /** Of how many rows. */
  count: number;
}

export interface TakeAnswer extends Portion, PageState {
  /**
   * `missing`: no list in time. `same`: it did not change in time. `no_control`, `disabled`: nothing was pressed.
   * `placeholder`: its rows have no text yet. `whole`: all of the list exists, which was to be followed as a window.
   * `unmarked`: `takeMarked` continues once new marks are set.
   */
  state: "rows" | "missing" | "same" | "no_control" | "disabled" | "placeholder" | "whole" | "unmarked";
  /** Whether rows or columns of the list seem to be missing from the document. */
  windowed: boolean;
  /** Whether rows of a window may never have been shown: it changed otherwise than by scrolling. */
  gap: boolean;
  /** Whether rows look as if a script had yet to fill them, once they come into view. */
  isUnfilled: boolean;
  /** With `isUnfilled`: whether they were not all brought into view. */
  unseen: boolean;
  /** With `isUnfilled`: where the addresses of images are that the rows lack. */
  elsewhere: readonly ImagesElsewhere[];
  url: string;
  /** All that the rows hold, links included; "" where it was not asked for. */
  content: string;
  /**
   * With `content`: what the page's scripts keep in the browser for the next page, as a text that can be compared. Null:
   * other tabs don't have all of it.
   */
  kept: string | null;
  /** The address that the control in `pressAfter` leads to, if it states one. */
  target: string | null;
  /** What became of `pressAfter`, or that `press` fits several controls. */
  after: "none" | "no_control" | "disabled" | "ambiguous" | "pressed" | "leaving";
  /** Whether the document was still loading. */
  loading: boolean;
}

/** Which list's size is asked for, by the selector of its rows. */
export interface SizeRequest {
  selector: string;
}

/** What a page says of the size of its list, and of trouble with it; 0 and null where it says nothing. */
export interface DeclaredSize {
  /** Rows, without those of headers. */
  rows: number;
  /** Columns that are not in the document. */
  missingColumns: number;
  /** From a text such as "1–10 of 57": 1, 10 and 57. */
  range: { from: number; to: number; total: number } | null;
  /** From a text such as "Page 1 of 7": 1 and 7. */
  pages: { page: number; total: number } | null;
  /** The name of a button that shows more rows. */
  moreButton: string | null;
  /** A text such as "Something went wrong. Try again". */
  trouble: string | null;
}

/** The fields of a whole page. */
export interface PageRequest {
  fields: readonly FieldRequest[];
  waitMs: number;
  /** Whether what may have yet to be shown is brought into view. */
  reveal: boolean;
}

export interface ControlRequest extends Control {
  /** Whether the control is pressed only if it leads to no other site. */
  onlyHere?: boolean;
  /** How long to wait for the rest of a page whose list is there and whose control is not, in ms. */
  restMs: number;
  /** How long a control that can't be pressed may take until it can be, in ms of the page's time. By default, 500. */
  busyMs?: number | undefined;
  /** The page that the control is expected to lead to, which another tab shows already. */
  hold?: Hold | undefined;
}

/** A page that was loaded before a control led to it. */
export interface Hold {
  address: string;
  /** See `TakeAnswer`. */
  kept: string;
}

/** A control, and the address that it leads to, if it states one. */
export interface ControlLook extends ControlFound {
  isDisabled: boolean;
  address: string | null;
}

/** What became of pressing a control. */
export type Pressed = "no_control" | "disabled" | "elsewhere" | "ambiguous" | "pressed" | "leaving";

export interface PressAnswer extends ControlFound {
  /** `held`: the control leads to the page in `hold`, and the document has stayed. */
  how: Pressed | "held";
  /** The address that the control leads to, if it states one. */
  address: string | null;
}

/** The HTML of a page. */
export type HtmlSource = { url: string } & (
  | {
      /** Its bytes, one character each. */
      body: string;
      /** What the `Content-Type` says of its encoding. */
      charset: string | null;
    }
  | {
      /** As the browser has decoded it. */
      html: string;
    }
);

/** The HTML of a page, which is read without opening the page. */
export type HtmlRequest = HtmlSource & {
  /** Of the rows; undefined where the fields are those of the whole page. */
  selector?: string;
  fields: readonly FieldRequest[];
  /** Undefined where no control leads on. */
  control?: Control;
};

/** What the page shows when it is opened. */
export interface HtmlPage {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** As in `TakeAnswer`; empty for the fields of the whole page. */
  content: string;
  /** Where the list's control leads; null where there is none, or where more may happen than that. */
  target: string | null;
  /** What tells the page's style sheets from others. */
  sheets: string;
  /** Whether no script can have a part in what the page shows. */
  isInert: boolean;
  /** What scripts may look for in the page; empty where there are none. */
  words: string[];
}

/**
 * `doubt` says why the page may show something else, as the end of a sentence. `sheets` are addresses of style sheets whose
 * texts `learnSheets` has to tell first.
 */
export type HtmlAnswer = HtmlPage | { doubt: string; sheets: string[] };

/** Which control is looked for, of the list with which rows. */
export interface NextLinkRequest {
  selector: string;
  control: Control;
  /** Longest wait for the page to be parsed, in ms. */
  waitMs: number;
}

/** Where a control seems to lead, and how many rows its list has. */
export interface NextLink {
  address: string | null;
  rows: number;
}
