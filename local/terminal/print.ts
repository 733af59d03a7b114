import { styleText } from "node:util";

/** Control characters except line feed and tab (C0, DEL, C1), and those that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be printed.
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters, because printed texts contain untrusted parts from pages, webhook receivers and scrapers.
 * The escapes are those of JSON, so that JSON texts stay equivalent.
 */
export const printable = (text: string): string =>
  text.replace(CONTROL, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Prints the result of a command. */
export const print = (text: string): void => console.log(printable(text));

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Prints a value as one line of JSON. For commands that print several objects. */
export const printJsonLine = (value: unknown): void => print(JSON.stringify(value));

export const printError = (text: string): void => console.error(printable(text));

/** Prints a message for the user, such as progress or a hint, to standard error. */
export const note = printError;

type Format = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/** A text with a color or style if the stream is a terminal and NO_COLOR is not set. Control characters are escaped. */
export const styled = (format: Format, text: string, stream: Stream = process.stderr): string =>
  styleText(format, printable(text), { stream });

/** Suggests the next command, and optionally its purpose. */
export const suggest = (command: string, purpose = ""): void =>
  console.error(`Next: ${styled("bold", `npx gleaner ${command}`)}${purpose && `   ${printable(purpose)}`}`);
