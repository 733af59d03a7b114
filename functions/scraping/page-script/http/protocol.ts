import type { Control, FieldRequest } from "../protocol.ts";

/** Messages about pages that are read from their HTML. */

/** The HTML of a page. */
export type HtmlSource = { url: string } & (
  | {
      /** Its bytes, one character each. */
      body: string;
      /** The encoding in the `Content-Type` header. */
      charset: string | null;
    }
  | {
      /** As the browser has decoded it. */
      html: string;
    }
);

/** The HTML of a page, which is read without opening the page. */
export type HtmlRequest = HtmlSource & {
  /** Selector of the rows; undefined if the fields are those of the whole page. */
  selector?: string;
  /** As in `ListRequest`. */
  until?: string | undefined;
  fields: readonly FieldRequest[];
  /** Undefined if no control leads to the next page. */
  control?: Control;
};

/** What the browser would show of a page, derived from its HTML. */
export interface HtmlPage {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** As in `ListAnswer`; empty for the fields of the whole page. */
  content: string;
  /** Where the list's control leads; null if there is none, or if pressing it may do anything else. */
  target: string | null;
  /** What tells the page's style sheets from others. */
  sheets: string;
  /** Whether no script can affect what the page shows. */
  isInert: boolean;
  /** Names that scripts may look for in the page; empty if it has no scripts. */
  words: string[];
}

/**
 * `browserRequired` is the reason why the browser has to open the page, and ends a sentence. `sheets` are the addresses of
 * style sheets whose texts are missing: pass them to `learnSheets`, and ask again.
 */
export type HtmlAnswer = HtmlPage | { browserRequired: string; sheets: string[] };
