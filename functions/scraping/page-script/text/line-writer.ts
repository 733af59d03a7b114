/** Puts a text together as layout does: with collapsed white space, and with the line breaks that blocks ask for. */
export interface LineWriter {
  /** Inline text. @param collapse the computed `white-space-collapse` */
  add(text: string, collapse: string): void;
  /** A line break in a text. */
  breakLine(): void;
  /** Where a block begins or ends: at least so many line breaks before the next text. */
  block(breaks: number): void;
  /** What stands on a line like one character: white space on both sides of it stays. */
  atom(text: string): void;
  /** What separates the cells or rows of a table. */
  separate(text: string): void;
  /** What was written so far, as a text that follows would see it. */
  soFar(): string;
}

export function createLineWriter(): LineWriter {
  let text = "";
  let breaks = 0;
  /** Whether a space is due before the next text of the line. */
  let hasSpace = false;
  /** Whether white space at the start of what follows collapses: after a space, or at the start of a line. */
  let isCollapsing = true;
  const begin = () => {
    if (breaks > 0 && text !== "") text += "\n".repeat(breaks);
    breaks = 0;
    if (hasSpace) text += " ";
    hasSpace = false;
  };
  const startLine = () => {
    hasSpace = false;
    isCollapsing = true;
  };
  const write = (part: string) => {
    begin();
    text += part;
    isCollapsing = false;
  };
  const addLine = (line: string) => {
    const words = line.replace(/[ \t\n\r\f]+/g, " ");
    if (words.startsWith(" ") && !isCollapsing) hasSpace = true;
    const inner = words.replace(/^ | $/g, "");
    if (inner === "") {
      isCollapsing ||= hasSpace;
      return;
    }
    write(inner);
    hasSpace = words.endsWith(" ");
    isCollapsing = hasSpace;
  };
  const breakLine = () => {
    startLine();
    begin();
    text += "\n";
  };
  return {
    add(part, collapse) {
      if (collapse === "collapse") addLine(part);
      else if (collapse === "preserve-breaks")
        for (const [index, line] of part.split("\n").entries()) {
          if (index > 0) breakLine();
          addLine(line);
        }
      else if (part !== "") write(part);
    },
    breakLine,
    block(count) {
      startLine();
      breaks = Math.max(breaks, count);
    },
    atom: write,
    separate(part) {
      startLine();
      begin();
      text += part;
    },
    soFar: () => text + (hasSpace ? " " : ""),
  };
}
