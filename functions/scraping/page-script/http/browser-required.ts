/** The browser has to open a page, because its HTML alone is not certain to give the same rows. The message ends a sentence. */
export class BrowserRequired extends Error {
  /** The addresses of style sheets whose texts are needed to decide. */
  readonly sheets: string[];

  constructor(message: string, { sheets = [] }: { sheets?: string[] } = {}) {
    super(message);
    this.sheets = sheets;
  }
}
