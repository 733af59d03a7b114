/** A page can't be read by HTTP with certainty. The message says why, as the end of a sentence. */
export class Doubt extends Error {
  override readonly name: string = "Doubt";
  /** The page, if it is not the one on show. */
  readonly url: string | undefined;
  /** Whether it came up when the browser had left the page that it showed. */
  hasLeft = false;

  constructor(message: string, { url }: { url?: string } = {}) {
    super(message);
    this.url = url;
  }
}

/** After so many doubts in a row, the rest is read in the browser. */
export const DOUBTS_MAX = 3;
