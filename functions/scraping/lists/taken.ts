import type { Row } from "../../contract/run.ts";
import type { Control, ScrollRequest, TakeAnswer, TakeRequest } from "../page-script/protocol.ts";

/** Rows as the page script handed them over, and what is known of the page. */
export interface Taken {
  state: TakeAnswer["state"];
  rows: Row[];
  url: string;
  /** A digest of what the rows hold, to recognize a page. */
  digest: string;
  /** See `TakeAnswer`. */
  kept: string | null;
  target: string | null;
  after: TakeAnswer["after"];
  /** Whether rows or columns of the list seem to be missing from the document: `begin` follows it. */
  windowed: boolean;
  /** Whether rows of a window may never have been shown. */
  gap: boolean;
  /** Whether rows lack values that may only come into view, and were not all brought there. */
  unseen: boolean;
  /** Where the addresses of images are that the rows lack. */
  elsewhere: TakeAnswer["elsewhere"];
  /** Whether the document was still on its way when its rows were read, and is so now. */
  loading: boolean;
  /** Whether rows of a window came again. */
  repeated: boolean;
  /** Whether the page, or what it asked for since rows were last read, had not arrived in time. */
  unfinished: boolean;
  /** Documents and requests of the tab before `pressAfter` could cause any. */
  documents: number;
  requests: number;
  /** Requests of the tab up to now. */
  asked: number;
}

export interface TakeOptions extends Pick<TakeRequest, "part" | "limit" | "withContent"> {
  press?: Control | undefined;
  pressAfter?: Control | undefined;
}

export interface ScrollOptions extends Pick<ScrollRequest, "limit" | "once"> {
  /** Whether to scroll on again, to save the next call the wait. */
  ahead: boolean;
  /** The selector of the box to scroll; absent: the box around the list. */
  box?: string | undefined;
  /** How long to wait for rows in ms; absent: the timeout of the step. */
  waitMs?: number;
  /** How long to wait at the end of a windowed list for more, in ms. */
  endMs?: number;
  /** Whether a windowed list is scrolled back to its top at its end. */
  rewind?: boolean;
}
