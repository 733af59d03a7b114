/** Why the HTML of a page can't stand for the page in the browser, as the end of a sentence. */
export class Doubt extends Error {
  /** The addresses of style sheets without whose texts it can't be told. */
  readonly sheets: string[];

  constructor(message: string, { sheets = [] }: { sheets?: string[] } = {}) {
    super(message);
    this.sheets = sheets;
  }
}
