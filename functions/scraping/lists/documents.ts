import type { Row } from "../../contract/run.ts";
import type { Control } from "../page-script/protocol.ts";
import type { ListResult } from "./list-result.ts";
import type { Page, Source } from "./source.ts";

/** The page of a list that the session's tab shows. */
export type ShownPage = Pick<ListResult, "url" | "rows" | "storageState">;

/**
 * How the list continues. `ended`: it does not. `shown`: by the control of the current page. `opened`: the tab has opened
 * the next page, which has to be read.
 */
export type Next = "ended" | "shown" | "opened";

/** A list whose pages are documents. */
export interface Pager {
  /** Reads the page that the tab shows, or will show; undefined where the list has ended. */
  read(): Promise<Page | undefined>;
  /** Goes on to the next page. Returns false where there is none. */
  advance(): Promise<boolean>;
  /** The current page; undefined if its address does not lead to it. */
  shown(): ShownPage | undefined;
  /** The address of the page after it, if that is known. */
  target(): Promise<string | null>;
  /** The control, if it may be pressed right after the rows are read, on the page that is so many pages ahead. */
  pressable(ahead: number): Promise<Control | undefined>;
  /** Opens the next page by its address, because the tab has left the page that leads there. */
  open(url: string, referrer: string): Promise<void>;
  /** Accepts the next page without opening it. */
  pass(page: { url: string; rows: Row[]; digest: string }): Page;
  /** Accepts the next page, which the session's tab shows now. Undefined if it ends the list. */
  arrive(result: ListResult): Promise<Page | undefined>;
  /** Ends what is under way. */
  close(): void;
}

/** Reads pages of a list by HTTP. */
export interface HttpReader {
  /** Whether further pages may be read by HTTP. Then the tab stays on its page until they have been read. */
  readonly isOn: boolean;
  /** The pages after the current one, as far as they can be read by HTTP. */
  after(pager: Pager): AsyncGenerator<Page, Next>;
  close(): void;
}

/** The pages of a list in the browser, and those that are read by HTTP between them. */
export async function* documentPages(pager: Pager, http: HttpReader | undefined): Source {
  try {
    for (let next: Next = "opened"; next !== "ended"; ) {
      if (next === "shown" && !(await pager.advance())) return;
      const page = await pager.read();
      if (!page) return;
      yield page;
      next = http ? yield* http.after(pager) : "shown";
    }
  } finally {
    http?.close();
    pager.close();
  }
}
