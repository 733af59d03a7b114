import type { ListPage } from "../lists/list-page.ts";
import type { Taken } from "../lists/taken.ts";
import type { Control } from "../page-script/protocol.ts";
import type { HttpPage } from "./page-reader.ts";

/** The page of a list that the session's tab shows. */
export interface ShownPage {
  url: string;
  rows: Taken["rows"];
  kept: Taken["kept"];
  /** The most rows to read of the pages after it. */
  limit: number;
  /** How many rows and pages are wanted after it. */
  rowsLeft: number;
  pagesLeft: number;
}

/**
 * How a list goes on: it has `ended`, or after the page that is `shown` by its control, or with the page that was
 * `opened` and is to be read.
 */
export type Next = "ended" | "shown" | "opened";

/** The pager of a list whose pages are documents. */
export interface Pager {
  /** Undefined where the address of the page does not lead to it. */
  shown(): ShownPage | undefined;
  /** Where the list goes on after that page, if that is known. */
  target(): Promise<string | null>;
  /** The control, where it may be pressed as soon as the rows are read of the page that is so many pages ahead. */
  pressable(ahead: number): Promise<Control | undefined>;
  isSeen(page: { url?: string; digest?: string }): boolean;
  /** Goes to the next page by its address, where the browser has left the page that leads there. */
  open(url: string, referrer: string): Promise<void>;
  /** Takes the next page without opening it. */
  pass(page: Pick<HttpPage, "url" | "rows" | "digest">): Promise<ListPage>;
  /** Takes the next page, which the session's tab shows by now; undefined where it ends the list. */
  arrive(taken: Taken): Promise<ListPage | undefined>;
}
