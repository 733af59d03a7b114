import { styleText } from "node:util";

/** Control characters except line feed and tab (C0, DEL, C1), and those that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text without terminal control sequences. Pages, receivers and authors of scrapers write parts of what is printed.
 * The escapes are those of JSON, so that a JSON text keeps its meaning.
 */
export const printable = (text: string): string =>
  text.replace(CONTROL, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Prints the result of a command. */
export const print = (text: string): void => console.log(printable(text));

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** One line of JSON, for each of several objects. */
export const printJsonLine = (value: unknown): void => print(JSON.stringify(value));

export const printError = (text: string): void => console.error(printable(text));

/** Prints messages for people, such as progress and what to do next. */
export const note = printError;

type Format = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/** A printable text in a color, where the stream is a terminal and NO_COLOR does not forbid it. */
export const styled = (format: Format, text: string, stream: Stream = process.stderr): string =>
  styleText(format, printable(text), { stream });

/** Tells which command may come next, and what for. */
export const suggest = (command: string, purpose = ""): void =>
  console.error(`Next: ${styled("bold", `npx gleaner ${command}`)}${purpose && `   ${printable(purpose)}`}`);
