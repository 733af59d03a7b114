import { describe, expect, test } from "@jest/globals";
import { overlap, type WindowRow } from "../../../../functions/scraping/page-script/windows/follow-window.ts";

/* How many rows of a window are known, by what was read before it. Rows are 40 pixels high, and ten of them are in view. */

interface WindowOptions {
  /** Where a row is in the scrolled content. */
  start?: (n: number) => number;
  text?: (n: number) => string;
  /** Its number, if the page states one. */
  number?: (n: number) => number;
  /** By the index of the row; elements that are used again are the same ones. */
  element?: (n: number) => object;
}

/** The rows `from` to `to` of a list. */
const rows = (
  from: number,
  to: number,
  { start = (n) => n * 40, text = (n) => `Lamp ${n}`, number, element = () => ({}) }: WindowOptions = {},
): WindowRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const n = from + index;
    return {
      element: element(n) as Element,
      cells: [text(n)],
      key: JSON.stringify([text(n)]),
      start: start(n),
      size: 40,
      number: number?.(n),
    };
  });
/** What `overlap` says of rows between the known ones and those of the window that were never shown. */
const GAP = -1;
const countOf = (...given: Parameters<typeof overlap>): number => {
  const { count, isSure } = overlap(...given);
  return isSure ? count : GAP;
};
const known = (to: number, options?: WindowOptions) => rows(1, to, options);

describe("rows without numbers are known by what they hold", () => {
  test.each<[string, WindowRow[], WindowRow[], number]>([
    ["those that both have", known(16), rows(10, 25), 7],
    ["all of them", known(16), rows(3, 16), 14],
    ["none where nothing was read", [], rows(1, 16), 0],
    ["none of an empty window", known(16), [], 0],
    ["a gap where none is known", known(16), rows(20, 35), GAP],
    ["those that have moved", known(16), rows(10, 25, { start: (n) => n * 55 }), 7],
    // One equal row may be another one.
    [
      "not one that is equal by chance",
      known(16),
      [...rows(16, 16, { start: () => 4_000 }), ...rows(80, 90)],
      GAP,
    ],
    [
      "those of which some have changed",
      known(16),
      rows(10, 25, { text: (n) => (n === 12 ? "Sold" : `Lamp ${n}`) }),
      7,
    ],
    [
      "not those of which most have changed",
      known(16),
      rows(10, 25, { text: (n) => `Lamp ${n % 2 ? n : -n}` }),
      GAP,
    ],
  ])("%s", (_, before, now, expected) => {
    expect(countOf(before, now, 400)).toBe(expected);
  });
});

describe("equal rows are known", () => {
  const text = () => "In stock";

  test("by their positions, which are sure where they are the same", () => {
    expect(overlap(known(16, { text }), rows(10, 25, { text }), 400)).toMatchObject({
      count: 7,
      isSure: true,
    });
    const moved = rows(10, 25, { text, start: (n) => n * 40 + 3 });
    expect(overlap(known(16, { text }), moved, 400)).toMatchObject({ count: 7, isSure: false });
  });

  test("by their elements, where positions are estimates", () => {
    const elements = Array.from({ length: 30 }, () => ({}));
    const element = (n: number) => elements[n] ?? {};
    const start = (n: number) => n * 40 + 260;
    const moved = rows(10, 25, { text, element, start });
    expect(overlap(known(16, { text, element }), moved, 400)).toMatchObject({ count: 7, isSure: false });
  });

  test("by how many differing ones agree, wherever they stand", () => {
    const kinds = (n: number) => ["Bolt", "Nut", "Cap"][((n * n * 7 + n * 3 + (n >> 2) * 5) % 11) % 3] ?? "";
    const moved = (from: number) => rows(from, from + 15, { text: kinds, start: (n) => n * 40 - from * 10 });
    expect(countOf(known(16, { text: kinds }), moved(5), 400)).toBe(12);
    // Two may agree by chance, and their positions, which are estimates, are the same by chance.
    const few = rows(15, 30, { text: kinds });
    expect(overlap(known(16, { text: kinds }), few, 400, true)).toMatchObject({ isSure: false });
    expect(overlap(known(16, { text: kinds }), few, 400)).toMatchObject({ count: 2, isSure: true });
  });

  test("by their positions, where their values come again in the same order", () => {
    const inTurn = { text: (n: number) => `Month ${n % 8}` };
    // They also agree eight rows further up. A single row that agrees in its place does not tell which is right.
    expect(countOf(known(24, inTurn), rows(9, 32, inTurn), 400)).toBe(16);
    expect(countOf(known(16, inTurn), rows(16, 28, inTurn), 400)).toBe(GAP);
  });

  test("by nothing at all where a list is not sure to stand: but it has not moved where all of its rows stand", () => {
    expect(overlap(known(16, { text }), known(16, { text }), 400, true)).toMatchObject({
      count: 16,
      isSure: true,
    });
  });
});

describe("rows with numbers are known by these", () => {
  const number = (n: number) => n;

  test.each<[string, WindowRow[], WindowRow[], number]>([
    ["those up to the last one", known(16, { number }), rows(10, 25, { number }), 7],
    ["none that follow it", known(16, { number }), rows(17, 30, { number }), 0],
    ["a gap where one is missing", known(16, { number }), rows(18, 30, { number }), GAP],
    [
      "also where all are equal",
      known(16, { number, text: () => "" }),
      rows(10, 25, { number, text: () => "" }),
      7,
    ],
    [
      "unless each window is numbered from its start",
      known(16, { number }),
      rows(10, 25, { number: (n) => n - 9 }),
      7,
    ],
  ])("%s", (_, before, now, expected) => {
    expect(countOf(before, now, 400)).toBe(expected);
  });
});
