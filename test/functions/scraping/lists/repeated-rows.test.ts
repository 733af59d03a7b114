import { describe, expect, test } from "@jest/globals";
import {
  copiesIn,
  createPagesSeen,
  OverlapCheck,
  RepeatCheck,
} from "../../../../functions/scraping/lists/repeats.ts";

/** Rows by their names. */
const rows = (...names: (string | number)[]) => names.map((name) => ({ name: `${name}` }));
const range = (from: number, to: number) =>
  rows(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

describe("rows that come again", () => {
  test("are ten in a row, also over the ends of pages", () => {
    const check = new RepeatCheck();
    expect(check.add(range(1, 50))).toBe(false);
    expect(check.add(range(20, 28))).toBe(false);
    expect(check.add(range(29, 29))).toBe(true);
  });

  test("are not those whose values come again in the same order on each page", () => {
    const check = new RepeatCheck();
    const months = rows(...Array.from({ length: 60 }, (_, index) => index % 12));
    const pages = [months.slice(0, 16), months.slice(16, 30), months.slice(30)];
    expect(pages.map((page) => check.add(page))).toEqual([false, false, false]);
  });

  test.each<[string, ReturnType<typeof rows>]>([
    ["nine of them", [...range(1, 20), ...range(1, 9)]],
    ["in another order", [...range(1, 20), ...range(1, 20).toReversed()]],
    ["with others between them", [...range(1, 20), ...range(1, 20).flatMap((row) => [row, ...rows("ad")])]],
    ["rows of which all are equal", Array.from({ length: 60 }, () => ({ name: "In stock" }))],
  ])("are not: %s", (_, all) => {
    expect(new RepeatCheck().add(all)).toBe(false);
  });

  test.each<[string, ReturnType<typeof rows>, boolean]>([
    ["two rows", range(2, 4), true],
    ["all but one", range(2, 3), true],
    ["one row", range(3, 5), false],
    ["all rows", range(1, 3), false],
    ["two rows and others after the first", rows(2, 9, 3), false],
    ["none", range(4, 6), false],
  ])("begin a page that shares %s with the one before: %j", (_, second, expected) => {
    const check = new OverlapCheck([]);
    expect(check.add(range(1, 3)).isShifted).toBe(false);
    expect(check.add(second).isShifted).toBe(expected);
  });

  test("tell nothing where the rows of a page are equal", () => {
    const check = new OverlapCheck([]);
    check.add(rows(1, 2, 2));
    expect(check.add(rows(2, 2, 3)).isShifted).toBe(false);
  });

  test.each<[string, ReturnType<typeof rows>, ReturnType<typeof rows>, boolean]>([
    ["fewer of them", rows(1, 2, 1), range(1, 2), true],
    ["all of them", range(1, 3), range(1, 3), false],
    ["more of them", range(1, 3), range(1, 4), false],
    ["others", range(1, 3), rows(1, 3), false],
    ["no rows", range(1, 3), [], false],
    ["rows that are all equal", rows(1, 1, 1), rows(1, 1), false],
  ])("the first rows of the page before are the whole page: %s", (_, first, second, expected) => {
    const check = new OverlapCheck([]);
    check.add(first);
    expect(check.add(second).isStart).toBe(expected);
  });

  test.each<[string, ReturnType<typeof rows>, ReturnType<typeof rows>, boolean]>([
    ["two rows", range(1, 5), rows(1, 2, 6, 7), true],
    ["one row, which may be equal by chance", range(1, 5), rows(1, 6, 7), false],
    ["all rows, and others after them", range(1, 2), range(1, 5), false],
    ["others", range(1, 3), range(4, 6), false],
    ["rows that are not all different", rows(1, 2, 3, 3), rows(1, 2, 4), false],
  ])("the first rows of a page are those of the page before: %s", (_, first, second, expected) => {
    const check = new OverlapCheck([]);
    check.add(first);
    expect(check.add(second).isPinned).toBe(expected);
  });

  test.each<[string, ReturnType<typeof rows>, ReturnType<typeof rows>, number]>([
    ["all rows, and others after them", range(1, 2), range(1, 5), 2],
    ["the same rows", range(1, 3), range(1, 3), 0],
    ["fewer of them", range(1, 3), range(1, 2), 0],
    ["a row less", range(1, 3), rows(1, 2, 4, 5), 0],
    ["one row, which may be equal by chance", rows(1), range(1, 3), 0],
    ["rows that are all equal", rows(1, 1), rows(1, 1, 1), 0],
  ])("a page keeps %s", (_, first, second, expected) => {
    const check = new OverlapCheck([]);
    check.add(first);
    expect(check.add(second).kept).toBe(expected);
  });
});

describe("the last rows of a page are the first ones again", () => {
  const fields = [{ name: "name" }, { name: "image", selector: "img", attribute: "src" }];
  test.each<[string, ReturnType<typeof rows>, number]>([
    ["slides that a carousel copies to both ends", rows("Oak", "Ash", "Elm", "Fir", "Oak", "Ash"), 2],
    ["a list twice", [...range(1, 5), ...range(1, 5)], 5],
    ["two values in turn", rows(1, 2, 1, 2, 1, 2), 0],
    ["equal rows", rows(1, 1, 1, 1, 1, 1), 0],
    ["a last row like the first", rows(1, 2, 3, 4, 5, 1), 0],
    ["rows that come again in another order", rows(1, 2, 3, 4, 2, 3, 4), 0],
    ["rows of which only the first comes again", rows(1, 2, 3, 1, 9), 0],
    ["rows that never come again", range(1, 6), 0],
  ])("%s", (_, all, expected) => {
    expect(copiesIn(all, { fields: [{ name: "name" }] })).toBe(expected);
  });

  test("images that are not loaded yet make no difference, other attributes do", () => {
    const slides = (attribute: string) =>
      copiesIn(
        ["Oak", "Ash", "Elm", "Oak", "Ash"].map((name, index) => ({ name, image: `${index}` })),
        { fields: [{ name: "name" }, { name: "image", attribute }] },
      );
    expect(slides("src")).toBe(2);
    expect(slides("data-lazy")).toBe(2);
    for (const other of ["href", "srcdoc", "longdata-src"]) expect(slides(other)).toBe(0);
    const images = Array.from({ length: 6 }, (_, index) => ({ image: `${index % 3}` }));
    expect(copiesIn(images, { fields: fields.slice(1) })).toBe(3);
  });
});

test("copies may lack some of the values, but have no others, and have some", () => {
  const table = [1, 2, 3].map((n) => ({ name: `${n}`, price: `${n} €` }));
  const copies = (second: Record<string, string>[]) =>
    copiesIn([...table, ...second], { fields: [{ name: "name" }, { name: "price" }] });
  expect(copies(table.map(({ name }) => ({ name })))).toBe(3);
  expect(copies(table.map(({ name }) => ({ name, price: "9 €" })))).toBe(0);
  expect(copies(table.map(() => ({})))).toBe(0);
});

describe("a list goes round", () => {
  const nowhere = async () => null;

  test("where the same page comes again, or an equal one that leads to a page before", async () => {
    const seen = createPagesSeen();
    expect(await seen.add({ url: "/", digest: "a" }, nowhere)).toBe("new");
    expect(await seen.add({ url: "/2", digest: "b" }, nowhere)).toBe("new");
    expect(seen.has({ url: "/2" })).toBe(true);
    expect(seen.has({ digest: "a" })).toBe(true);
    expect(seen.has({ url: "/3", digest: "c" })).toBe(false);
    // The first page has two addresses.
    expect(await seen.add({ url: "/1", digest: "a" }, async () => "/2")).toBe("seen");
    expect(await seen.add({ url: "/", digest: "a" }, nowhere)).toBe("seen");
  });

  test("not where an equal page leads on", async () => {
    const seen = createPagesSeen();
    await seen.add({ url: "/1", digest: "a" }, nowhere);
    expect(await seen.add({ url: "/2", digest: "a" }, async () => "/3")).toBe("alike");
    expect(await seen.add({ url: "/3", digest: "b" }, async () => "/4")).toBe("new");
  });

  test("where an equal one has no address of its own", async () => {
    const seen = createPagesSeen();
    await seen.add({ url: undefined, digest: "a" }, nowhere);
    expect(seen.has({ url: undefined })).toBe(false);
    expect(await seen.add({ url: undefined, digest: "a" }, nowhere)).toBe("seen");
    await seen.add({ url: "/2", digest: "b" }, nowhere);
    expect(await seen.add({ url: undefined, digest: "b" }, async () => "/3")).toBe("seen");
    expect(await seen.add({ url: undefined, digest: "b", texts: "b, 7 views" }, nowhere)).toBe("similar");
    for (const digest of ["c", "d"]) await seen.add({ url: undefined, digest, texts: digest }, nowhere);
    expect(await seen.add({ url: undefined, digest: "c", texts: "c, 7 views" }, nowhere)).toBe("new");
  });

  test("where more than three equal pages come in a row", async () => {
    const seen = createPagesSeen();
    const told: string[] = [];
    for (const page of [1, 2, 3, 4])
      told.push(await seen.add({ url: `/${page}`, digest: "a" }, async () => `/${page + 1}`));
    expect(told).toEqual(["new", "alike", "alike", "seen"]);
    expect(await seen.add({ url: "/9", digest: "b" }, nowhere)).toBe("new");
    expect(await seen.add({ url: "/10", digest: "a" }, async () => "/11")).toBe("alike");
  });
});
