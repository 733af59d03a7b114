import { decoded } from "./decode.ts";

/*
 * Patterns, for the flags i and u, of all ways in which a page can write a value in one step: what browsers, form
 * encoders, escaping functions and the usual ways to print bytes make of it.
 */

/** Encoded any number of times: an address within an address is encoded twice. */
const PERCENT = "%(?:25)*";
const AMPERSAND = "&(?:amp;)*";
/** Not any number: a search in a text of backslashes would take time by the square of its length. */
const BACKSLASH = "\\\\{1,8}";

/** Numbers in a list, such as opening hours, may equal the characters of a shorter value. */
const MIN_LISTED = 8;

/** A pattern that takes long to compile is needed only for a text in which its start is found. */
export interface Encoded {
  pattern: string;
  start?: string;
}

/** How many numbers of a value are its start. */
const START_LENGTH = 3;

/**
 * Patterns for a value in Base64, at any place of a longer text, and as numbers. Each has to be searched for by itself:
 * one search for all of them takes a hundred times as long.
 */
export function encoded(value: string): Encoded[] {
  const text = value.trim();
  const bytes = Buffer.from(text);
  const encodings = [bytes, Buffer.from(text, "utf16le")];
  if (!/[^\0-\xff]/.test(text)) encodings.push(Buffer.from(text, "latin1"));
  const inBase64 = encodings.flatMap((each) => [0, 1, 2].map((shift) => base64(each, shift)));
  const numbers = [[...bytes], unitsOf(text)];
  const startOf = (all: readonly number[]) =>
    asNumbers(all.slice(0, START_LENGTH), { isListed: all.length >= MIN_LISTED });
  return [
    { pattern: anyPattern(inBase64) },
    {
      pattern: anyPattern(numbers.flatMap((all) => asNumbers(all))),
      start: anyPattern(numbers.flatMap(startOf)),
    },
  ];
}

/** A pattern for a value: as it is, escaped in any mixture, or in reverse. */
export function spelled(value: string): string {
  const forms = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => value.normalize(form));
  // Patterns ignore case already, where it does not change the number of letters. Of equal forms, the last one counts.
  const all = [value.toUpperCase(), ...forms, value];
  const different = new Map(all.map((form) => [withoutCase(form), form]));
  return anyPattern([...[...different.values()].map(spell), literally([...value.trim()].reverse().join(""))]);
}

/** A pattern for a value in a decoded text: as it is, in capitals, in another normalization, or in reverse. */
export function literal(value: string): string {
  const plain = decoded(value)?.text ?? value;
  const forms = [value, plain, value.toUpperCase(), plain.toUpperCase()].flatMap((form) =>
    ["NFC", "NFD", "NFKC", "NFKD"].map((norm) => form.normalize(norm).trim()),
  );
  const all = [...forms, ...forms.map((form) => [...form].reverse().join(""))];
  return anyPattern(all.map((form) => form.split(/\s+/).map(literally).join("[\\s+]+")));
}

/** Two texts are the same without case where a pattern for one of them matches the other, too. */
const withoutCase = (text: string): string =>
  [...text].map((one) => ([...one.toLowerCase()].length === 1 ? one.toLowerCase() : one)).join("");

/** A pattern for the first characters of a value. */
export const waysToBegin = (value: string, length: number): string =>
  [...visible(value.trim())].slice(0, length).map(waysToWriteCharacter).join("");

const anyPattern = (patterns: readonly string[]) => [...new Set(patterns)].join("|");

const unitsOf = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
const visible = (text: string) => text.replace(/\p{DI}/gu, "") || text;

function spell(form: string): string {
  // Texts from a page are trimmed, and have one space in place of several.
  const words = visible(form).trim().split(/\s+/);
  return words.map((word) => [...word].map(waysToWriteCharacter).join("")).join(SPACE);
}

const percentOf = (bytes: string) => bytes.replaceAll(/(?<=^| )/g, PERCENT).replaceAll(" ", "");
/**
 * What splits a text without being a part of what a person reads: tags, and characters that no font shows, also where
 * they are escaped.
 */
const UNSEEN = new RegExp(
  [
    "\\p{DI}",
    "</?[a-z][^<>]*>",
    `${AMPERSAND}(?:shy|zwn?j|ZeroWidthSpace|NoBreak|#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff));`,
    `${BACKSLASH}u(?:00ad|200[b-f]|2060|feff)`,
    percentOf("C2 AD"),
    percentOf("E2 80 8[B-F]"),
    percentOf("EF BB BF"),
  ].join("|"),
  "giu",
);

/** A text without what splits it. Most texts have nothing of the kind, which is found out much faster. */
export const joined = (text: string): string =>
  /[<&\\%]|[^\0-\x7f]/.test(text) ? text.replace(UNSEEN, "") : text;

const PERCENT_SPACE = [
  "0[9A-D]",
  "20",
  "C2 A[0D]",
  "E1 9A 80",
  "E2 8[01] [89A][0-9A-F]",
  "E3 80 80",
  "EF BB BF",
]
  .map(percentOf)
  .concat(`${PERCENT}u(?:00[02A][09A-D]|20[0-9A-F]{2}|1680|3000|FEFF)`, `${PERCENT}A0`)
  .join("|");
/**
 * White space of any length and in any encoding, because pages collapse it. No two alternatives match the same text:
 * otherwise, long white space would cause exponential backtracking.
 */
const SPACE = `(?:\\s|\\+|${AMPERSAND}(?:(?:nbsp|Tab|NewLine);|#(?:\\d+|x[0-9A-F]+);?)|${BACKSLASH}(?:[nrtvf]|x[0-9A-F]{2}|u[0-9A-F]{4}|u\\{[0-9A-F]+\\}|(?:[0-9][0-9A-F]{0,5}|A0?|C|D)(?: |(?!\\s)))|${PERCENT_SPACE})+`;

/** The named character references of HTML for ASCII. */
const NAMES: Record<string, string> = {
  ...{ "!": "excl", '"': "quot", "#": "num", $: "dollar", "%": "percnt", "&": "amp", "'": "apos" },
  ...{ "(": "lpar", ")": "rpar", "*": "(?:mid)?ast", "+": "plus", ",": "comma", ".": "period", "/": "sol" },
  ...{ ":": "colon", ";": "semi", "<": "lt", "=": "equals", ">": "gt", "?": "quest", "@": "commat" },
  ...{ "[": "l(?:sqb|brack)", "\\": "bsol", "]": "r(?:sqb|brack)", "^": "Hat", _: "(?:lowbar|UnderBar)" },
  ...{ "`": "(?:grave|DiacriticalGrave)", "{": "l(?:cub|brace)", "}": "r(?:cub|brace)" },
  ...{ "|": "(?:vert|verbar|VerticalLine)", "~": "tilde" },
};

function waysToWriteCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const units = unitsOf(character);
  const bytes = [...Buffer.from(character)];
  const eachOf = (numbers: readonly number[], write: (number: number) => string) =>
    numbers.map(write).join("");
  const ways = [
    eachOf(bytes, (byte) => `${PERCENT}${hex(byte, 2)}`),
    // The function escape() of JavaScript.
    eachOf(units, (unit) => `${PERCENT}u${hex(unit, 4)}`),
    `${AMPERSAND}#0*${code}(?:;|(?!\\d))`,
    `${AMPERSAND}#x0*${hex(code)}(?:;|(?![0-9A-F]))`,
    eachOf(units, (unit) => `${BACKSLASH}u${hex(unit, 4)}`),
    `${BACKSLASH}u\\{0*${hex(code)}\\}`,
    eachOf(bytes, (byte) => `${BACKSLASH}x${hex(byte, 2)}`),
    // In a style sheet.
    `${BACKSLASH}0*${hex(code)}(?: |(?![0-9A-F]))`,
    eachOf(bytes, (byte) => `${BACKSLASH}0*${byte.toString(8)}(?!\\d)`),
  ];
  if (code > 0x7f && code <= 0xff) ways.push(`${PERCENT}${hex(code, 2)}`, `${BACKSLASH}x${hex(code, 2)}`);
  if (code > 0x7f) ways.push(`${AMPERSAND}[a-z]{2,31}\\d{0,2};`);
  const name = NAMES[character];
  if (name !== undefined) ways.push(`${AMPERSAND}${name};`);
  if (/[^0-9a-z]/i.test(character)) ways.push(`${BACKSLASH}${literally(character)}`);
  // Last, because an escape may start with the character itself.
  ways.push(literally(character));
  return `(?:${ways.join("|")})`;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LAST_BASE64: Record<string, string> = { "+": `[+-]|${PERCENT}2B`, "/": `[/_]|${PERCENT}2F` };

/**
 * A pattern for bytes in Base64, `shift` bytes after the start of a group of three. Characters at their edges also have
 * bits of what stands before and after them.
 */
function base64(bytes: Buffer, shift: number): string {
  const bit = (index: number) => ((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;
  const end = bytes.length * 8;
  let pattern = "";
  for (let start = Math.floor((shift * 8) / 6) * 6 - shift * 8; start < end; start += 6) {
    const possible = [...ALPHABET].filter((_, code) =>
      [0, 1, 2, 3, 4, 5].every((offset) => {
        const index = start + offset;
        return index < 0 || index >= end || bit(index) === ((code >> (5 - offset)) & 1);
      }),
    );
    pattern += anyOf(possible);
  }
  return `${pattern}(?:=|${PERCENT}3D)*`;
}

function anyOf(characters: readonly string[]): string {
  const plain = characters.filter((character) => LAST_BASE64[character] === undefined);
  const others = characters.flatMap((character) => LAST_BASE64[character] ?? []);
  if (others.length === 0 && plain.length === 1) return plain.join("");
  return `(?:${[...(plain.length > 0 ? [`[${plain.join("")}]`] : []), ...others].join("|")})`;
}

/** Patterns for the numbers of bytes or characters: in hexadecimal and binary also without anything between them. */
function asNumbers(numbers: readonly number[], { isListed = numbers.length >= MIN_LISTED } = {}): string[] {
  const list = (radix: number) =>
    `(?<!\\d)${numbers.map((number) => `0*${number.toString(radix)}`).join("[\\s,;:|/_.-]{1,4}")}(?!\\d)`;
  const sequence = (prefix: string, digits: (number: number) => string) =>
    numbers.map((number) => `${prefix}${digits(number)}`).join("[\\s,;:_-]{0,2}");
  const patterns = [2, 4]
    .filter((width) => Math.max(...numbers) < 16 ** width)
    .flatMap((width) => [
      sequence(`(?:0x|${BACKSLASH}x|=)?`, (number) => hex(number, width)),
      sequence("(?:0b)?", (number) => number.toString(2).padStart(width * 4, "0")),
    ]);
  return isListed ? [...patterns, list(10), list(8)] : patterns;
}

const hex = (value: number, length = 1) => value.toString(16).padStart(length, "0");

/** Escapes for a pattern with the flag u, which allows no unnecessary escapes. */
const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
