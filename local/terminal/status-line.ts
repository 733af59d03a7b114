import { printable } from "./print.ts";

/** A status line: redrawn in place on a terminal, elsewhere printed once for each change. */
export class StatusLine {
  readonly #stream: NodeJS.WriteStream;
  #shown = "";

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** `clock` changes all the time, so only a terminal shows it. */
  show(text: string, clock: string): void {
    const safe = printable(text).replaceAll("\n", " ");
    if (this.#stream.isTTY) {
      const width = (this.#stream.columns || 80) - clock.length - 4;
      this.#stream.write(`\r\x1b[K  ${fitted(safe, width)} ${clock}`);
    } else if (safe !== this.#shown) {
      this.#stream.write(`${safe}\n`);
    }
    this.#shown = safe;
  }

  /** Makes room for what is printed next. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown !== "") this.#stream.write("\r\x1b[K");
    this.#shown = "";
  }
}

/** The most columns: a longer line could not be redrawn in place. */
function fitted(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    if (used > columns) return `${text.slice(0, Math.max(0, end - 1))}…`;
    end += character.length;
  }
  return text;
}

/** Characters from here on may take two columns. */
const FIRST_WIDE = 0x1100;
