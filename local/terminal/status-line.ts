import { printable } from "./print.ts";

/** A status line. On a terminal, it is redrawn in place. Otherwise, each change is printed as a new line. */
export class StatusLine {
  readonly #stream: NodeJS.WriteStream;
  #shown = "";

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** Shows a text. `clock` is the elapsed time; it always changes, so only a terminal shows it. */
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

  /** Removes the line, before other output is printed. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown !== "") this.#stream.write("\r\x1b[K");
    this.#shown = "";
  }
}

/** Shortens a text to a number of terminal columns, because a line that wraps can't be redrawn in place. */
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

/** Characters from this code point on may take two columns. */
const FIRST_WIDE = 0x1100;
