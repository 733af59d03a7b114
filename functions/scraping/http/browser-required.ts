/** The browser has to open a page, because its HTML alone is not certain to give the same rows. The message ends a sentence. */
export class BrowserRequired extends Error {
  override readonly name: string = "BrowserRequired";
  /** The page, if it is not the one that the browser shows. */
  readonly url: string | undefined;
  /** Whether the browser has left the page that it showed. */
  hasLeft = false;

  constructor(message: string, { url }: { url?: string } = {}) {
    super(message);
    this.url = url;
  }
}

/** After this many fallbacks to the browser in a row, the browser reads all remaining pages. */
export const FALLBACKS_MAX = 3;
