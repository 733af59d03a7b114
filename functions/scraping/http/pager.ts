import type { ListPage } from "../lists/list-page.ts";
import type { ListResult } from "../lists/list-result.ts";
import type { Control } from "../page-script/protocol.ts";
import type { HttpPage } from "./page-reader.ts";

/** The page of a list that the session's tab shows. */
export interface ShownPage {
  url: string;
  rows: ListResult["rows"];
  storageState: ListResult["storageState"];
  /** The most rows to read of the pages after it. */
  limit: number;
  /** How many rows and pages are wanted after it. */
  rowsLeft: number;
  pagesLeft: number;
}

/**
 * How the list continues. `ended`: it does not. `shown`: by the control of the current page. `opened`: the tab has opened
 * the next page, which has to be read.
 */
export type Next = "ended" | "shown" | "opened";

/** The pager of a list whose pages are documents. */
export interface Pager {
  /** The current page; undefined if its address does not lead to it. */
  shown(): ShownPage | undefined;
  /** The address of the page after it, if that is known. */
  target(): Promise<string | null>;
  /** The control, if it may be pressed right after the rows are read, on the page that is so many pages ahead. */
  pressable(ahead: number): Promise<Control | undefined>;
  isSeen(page: { url?: string; digest?: string }): boolean;
  /** Opens the next page by its address, because the tab has left the page that leads there. */
  open(url: string, referrer: string): Promise<void>;
  /** Accepts the next page without opening it. */
  pass(page: Pick<HttpPage, "url" | "rows" | "digest">): Promise<ListPage>;
  /** Accepts the next page, which the session's tab shows now. Undefined if it ends the list. */
  arrive(result: ListResult): Promise<ListPage | undefined>;
}
