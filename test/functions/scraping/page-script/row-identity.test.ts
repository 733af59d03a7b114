import { expect, test } from "@jest/globals";
import {
  keepsPlaces,
  mayBeKnown,
  newRows,
  noteText,
  numbersOf,
} from "../../../../functions/scraping/page-script/lists/row-identity.ts";

/* Which rows of a list are new, by the rows that it had when it was last read. */

interface Row {
  textContent: string;
  isConnected: boolean;
  getAttribute(name: string): string | null;
  parentElement?: Row;
}
const rowOf = (textContent: string, attributes: Record<string, string> = {}): Row => ({
  textContent,
  isConnected: true,
  getAttribute: (name) => attributes[name] ?? null,
});
const rowsOf = (texts: string) => texts.split("").map((text) => rowOf(text));
const asElements = (rows: Row[]) => rows as unknown as Element[];
const read = (rows: Row[]) => ({ rows: asElements(rows), fields: [], seen: undefined, content: "" });

/**
 * A list and what it became: a letter is a row with this text, the element that it was before; an upper-case letter is
 * rendered anew, with the text of the lower-case one.
 */
function change(before: string, after: string) {
  const rows = rowsOf(before);
  const left = [...rows];
  const now = after.split("").map((letter) => {
    const at = left.findIndex(({ textContent }) => textContent === letter);
    return left[at] ? (left.splice(at, 1)[0] as Row) : rowOf(letter.toLowerCase());
  });
  for (const row of left) row.isConnected = false;
  const known = read(rows);
  return { known, now: asElements(now), added: () => newRows(asElements(now), known) };
}

const textsOf = (rows: Element[]) => rows.map(({ textContent }) => textContent).join("");

test.each([
  ["a list that grew at its end", "abc", "abcde", "de"],
  ["a list that stayed", "abc", "abc", ""],
  ["a row in front", "abc", "zabc", "z"],
  ["a row in between", "abc", "abzc", "z"],
  ["rows in another order", "abc", "cabd", "d"],
  ["a list that was empty", "", "ab", "ab"],
  ["other rows", "abc", "xyz", "xyz"],
  ["another first row, and more", "abc", "xbcd", "xd"],
  ["the same rows rendered anew", "abc", "ABC", ""],
  ["some of them rendered anew in another order, and more", "abc", "aCBd", "d"],
  ["rendered anew in another order, with equal new rows", "abc", "CABDD", "dd"],
  ["the same rows rendered anew, and more", "abc", "ABCDE", "de"],
  ["some of them rendered anew, and more", "abc", "aBCd", "d"],
  ["rendered anew in another order", "abc", "CABD", "d"],
  ["rendered anew with equal texts, of which one is new", "aab", "BAAA", "a"],
  ["rendered anew, most with the same texts", "abcdefghij", "ABCDEFGXYZKL", "kl"],
  ["rendered anew, fewer with the same texts", "abcdefghij", "ABCDEFWXYZKL", "abcdefwxyzkl"],
  ["rendered anew, and fewer of them", "abcd", "ABC", "abc"],
  ["a row between its ends that was rendered anew with another text", "abc", "axc", ""],
])("new rows of %s: %s, %s", (_, before, after, expected) => {
  expect(textsOf(change(before, after).added())).toBe(expected);
});

test("rows are all new in a list that was not read, and none that were lost come twice", () => {
  const [a, b, c] = rowsOf("abc") as [Row, Row, Row];
  expect(newRows(asElements([a, b]), undefined)).toEqual([a, b]);
  const known = read([a, b]);
  expect(newRows(asElements([b, c]), known)).toEqual([c]);
  expect(known.seen).toBeDefined();
});

test("rows that steps act on are known, whether they were rendered anew before, between or after the steps", () => {
  const [a, b, c, d] = asElements(rowsOf("abcd")) as [Element, Element, Element, Element];
  const known = { ...read([]), rows: [a, b, c] };
  const renderAnew = (row: Element) => {
    Object.assign(row, { isConnected: false });
    return asElements([rowOf(row.textContent ?? "")])[0] as Element;
  };
  noteText(a);
  a.textContent += "1";
  const a2 = renderAnew(a);
  const b2 = renderAnew(b);
  noteText(b2);
  b2.textContent += "2";
  noteText(c);
  const c2 = renderAnew(c);
  noteText(c, c2);
  c2.textContent += "3";
  expect(newRows([a2, b2, c2, d], known)).toEqual([d]);
});

test.each([
  ["abc", "abcd", true],
  ["abc", "ABCD", true],
  ["abc", "zabc", false],
  ["abc", "xyz", false],
])("a list keeps its places from %s to %s: %s", (before, after, expected) => {
  const { known, now } = change(before, after);
  expect(keepsPlaces(now, known)).toBe(expected);
  expect(keepsPlaces(now, undefined)).toBe(false);
});

test.each([
  ["other texts, and more", "abc", "xyzw", true],
  ["as many as before", "abc", "xyz", false],
  ["one row that stayed", "abc", "xbyz", false],
  ["the same texts", "abc", "ABCD", false],
  ["none before", "", "xyz", false],
])("new rows may be known ones: %s: %s, %s", (_, before, after, expected) => {
  const { known, now } = change(before, after);
  expect(mayBeKnown(now, known)).toBe(expected);
});

test("numbers count where each row has one and they increase, on the rows or around them", () => {
  const numbered = (name: string, values: string[]) => values.map((value) => rowOf("", { [name]: value }));
  const numbers = (rows: Row[]) => numbersOf(asElements(rows));
  expect(numbers(numbered("data-index", ["7", "8", "11"]))).toEqual([7, 8, 11]);
  const around = numbered("aria-rowindex", ["2", "3"]).map((parentElement) => ({
    ...rowOf(""),
    parentElement,
  }));
  expect(numbers(around)).toEqual([2, 3]);
  const none = [undefined, undefined];
  for (const values of [
    ["2", "2"],
    ["3", "2"],
    ["1", "0x2"],
    ["1", "2e3"],
    ["", "1"],
  ])
    expect(numbers(numbered("data-index", values))).toEqual(none);
});
