/*
 * What a scraped page or another person has chosen, such as error messages and names, is part of alerts. Each format
 * escapes it so that it stays plain text.
 */

// Control characters, line separators, and characters that change the direction of the text around them.
const DISRUPTIVE = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** A text on one line, of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = text.toWellFormed().replaceAll(DISRUPTIVE, " ").trim();
  return cut(line, max);
}

/** A text of at most `max` UTF-16 units, without half a character at its end. */
export const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`;

/** A time as people read it, in UTC: `2026-11-26 06:10 UTC`. */
export const timeText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** A number of things: `1 row`, `2,400 rows`. */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? what : `${what}s`}`;
