import { describe, expect, test } from "@jest/globals";
import type { Row } from "../../../../functions/contract/runs/run.ts";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { ListField } from "../../../../functions/contract/steps/steps.ts";
import type { Page } from "../../../../functions/scraping/lists/source.ts";
import type { RunCheckpoint } from "../../../../functions/scraping/steps/run-checkpoint.ts";
import { type Drive, drive, findings, page, part } from "./drive.ts";

/* What the driver makes of the pages that a source gives. Nothing is loaded here: the pages are made up. */

test("a list ends with its source, and each batch tells where to resume", async () => {
  const { names, checkpoints, warnings, isClosed } = await drive([page(1, "a", "b"), page(2, "c")]);
  expect(names).toEqual([["a", "b"], ["c"]]);
  expect(checkpoints).toMatchObject([
    { step: 1, skip: 2 },
    { step: 1, url: "https://shop.example/2", number: 2, skip: 1 },
  ]);
  expect(warnings).toEqual([]);
  expect(isClosed).toBe(true);
});

test("a page without an address is resumed from the beginning of the list", async () => {
  const { checkpoints } = await drive([page(1, "a", "b"), { ...page(2, "c"), url: undefined }]);
  expect(checkpoints[1]).toMatchObject({ skip: 3 });
  expect(checkpoints[1]).not.toHaveProperty("url");
});

test.each<[string, Drive, string[][]]>([
  ["the rows that are wanted", { limit: 3 }, [["a", "b"], ["c"]]],
  ["its pages", { pagination: { type: "next_button", max_pages: 1 } }, [["a", "b"]]],
])("a limit of %s ends the list, and no page after it is read", async (_, how, expected) => {
  const told = await drive([page(1, "a", "b"), page(2, "c", "d"), page(3, "e")], how);
  expect(told.names).toEqual(expected);
  expect(told.read).toBe(expected.length);
  expect(told.checkpoints.at(-1)).toMatchObject({ step: 2, skip: 0 });
  expect(told.isClosed).toBe(true);
});

test("a limit that nobody has stated is told when it is reached", async () => {
  const told = (limit: number, pages: Page[]) => drive(pages, { limit, warnsOfLimit: true });
  const pages = [page(1, "a", "b"), page(2, "c")];
  expect((await told(2, pages)).warnings).toEqual(["rows_limit_reached"]);
  expect((await told(4, pages)).warnings).toEqual([]);
  expect((await drive(pages, { limit: 2 })).warnings).toEqual([]);
});

test("a page that its source knows to be the last needs no other call", async () => {
  const told = await drive([page(1, "a"), { ...page(2, "b"), isEnd: true }, page(3, "c")]);
  expect(told.names).toEqual([["a"], ["b"]]);
  expect(told.checkpoints.at(-1)).toMatchObject({ step: 2 });
});

test("a page that comes again ends the list; an equal one at another address is told", async () => {
  expect(await drive([page(1, "a"), page(2, "b"), page(1, "a"), page(3, "c")])).toMatchObject({
    names: [["a"], ["b"]],
    warnings: [],
  });
  expect(await drive([page(1, "a"), page(2, "a"), page(3, "b")])).toMatchObject({
    names: [["a"], ["a"], ["b"]],
    warnings: ["rows_repeated"],
  });
});

test("a page that begins with the last rows of the one before is told, unless the list has a key", async () => {
  const pages = [page(1, "a", "b", "c"), page(2, "b", "c", "d")];
  expect((await drive(pages)).warnings).toEqual(["rows_repeated"]);
  expect(await drive(pages, { key: ["name"] })).toMatchObject({
    names: [["a", "b", "c"], ["d"]],
    warnings: [],
  });
});

describe("pages that keep the rows before them", () => {
  const pages = [page(1, "a", "b"), page(2, "a", "b", "c", "d"), page(3, "a", "b", "c", "d", "e")];

  test("count only their new rows", async () => {
    const { names, warnings } = await drive(pages);
    expect(names).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(warnings).toEqual([]);
  });

  test("are resumed behind the rows that they have kept", async () => {
    const { checkpoints } = await drive(pages);
    expect(checkpoints.map(({ skip }) => skip)).toEqual([2, 4, 5]);
    const [, before] = checkpoints;
    expect((await drive(pages.slice(1), { before: before as RunCheckpoint })).names).toEqual([["e"]]);
  });

  test("are told where the limit hides whether they have others", async () => {
    const told = await drive([page(1, "a", "b", "c"), page(2, "a", "b")], { limit: 5 });
    expect(told).toMatchObject({
      names: [
        ["a", "b", "c"],
        ["a", "b"],
      ],
      warnings: ["rows_repeated"],
    });
    expect((await drive([page(1, "a", "b", "c"), page(2, "a", "b")])).warnings).toEqual([]);
  });
});

test("rows after a transfer that was cut off are missing: its rows are kept, and the run fails", async () => {
  const told = await drive([{ ...page(1, "a"), isPart: true }, page(2, "b")]);
  expect(told.names).toEqual([["a"]]);
  expect(told.checkpoints[0]).toMatchObject({ step: 1 });
  expect(told.failure).toMatchObject({ code: "navigation_failed" });
});

test("a resumed list leaves out the rows that an earlier attempt had", async () => {
  const before: RunCheckpoint = {
    step: 1,
    loads: 4,
    texts: [],
    skip: 2,
    url: "https://shop.example/3",
    number: 3,
  };
  const told = await drive([page(3, "a", "b", "c"), page(4, "d", "e")], { before, limit: 2 });
  expect(told.names).toEqual([["c"], ["d"]]);
  // The pages that it passes again were counted before.
  expect(told.checkpoints).toMatchObject([{ loads: 4 }, { loads: 5 }]);
});

describe("rows with equal keys count once", () => {
  test("on all pages; none is resumed at its address", async () => {
    const pages = [page(1, 1, 2, 2, 3), page(2, 3, 4, 1, 5), page(3, 5, 6, 2, 7)];
    const told = await drive(pages, { key: ["name"] });
    expect(told.names).toEqual([
      ["1", "2", "3"],
      ["4", "5"],
      ["6", "7"],
    ]);
    expect(told.checkpoints.map(({ url, skip }) => [url, skip])).toEqual([
      [undefined, 3],
      [undefined, 5],
      [undefined, 7],
    ]);
  });

  test("up to the limit, and no page after it is read", async () => {
    const pages = [page(1, 1, 2, 2), page(2, 2, 3, 4), page(3, 5)];
    expect(await drive(pages, { key: ["name"], limit: 3 })).toMatchObject({
      names: [["1", "2"], ["3"]],
      read: 2,
    });
  });

  test("a row without any field of the key counts, and a part of the key is compared, too", async () => {
    const rows = [{ size: "1" }, { size: "1" }, { name: "a" }, { name: "a" }, { name: "a", id: "1" }];
    const told = await drive([{ ...page(1), rows }], { key: ["name", "id"] });
    expect(told.names[0]).toHaveLength(4);
  });
});

describe("rows that an earlier run had", () => {
  const pages = [page(1, "a", "b", "c"), page(2, "d", "e"), page(3, "f", "g"), page(4, "h")];
  const how = { key: ["name"], known: ["b", "d", "e", "f"] };

  test("are left out, do not count for the limit, and end the list after some pages of them only", async () => {
    expect((await drive(pages, how)).names).toEqual([["a", "c"], ["g"], ["h"]]);
    expect((await drive(pages, { ...how, limit: 3 })).names).toEqual([["a", "c"], ["g"]]);
    const early = await drive(pages, { ...how, stopAfterKnownPages: 1 });
    expect(early).toMatchObject({ names: [["a", "c"]], read: 2, isClosed: true });
    expect((await drive(pages, { ...how, stopAfterKnownPages: 2 })).names.flat()).toEqual([
      "a",
      "c",
      "g",
      "h",
    ]);
  });

  test("do not end the list where a page has only rows that an earlier one had", async () => {
    const again = [page(1, "a"), page(2, "a", "a"), page(3, "g")];
    expect((await drive(again, { ...how, stopAfterKnownPages: 1 })).names.flat()).toEqual(["a", "g"]);
  });

  test("a list of which all rows are known ends without rows and without a warning", async () => {
    expect(await drive([page(1, "b"), page(2, "d")], how)).toMatchObject({
      names: [],
      warnings: [],
      failure: undefined,
    });
  });

  test("leave each resumed run with the same rows, from each checkpoint, also if more are known by then", async () => {
    for (const all of [3, 4]) {
      const { names, checkpoints } = await drive(pages, { ...how, limit: all });
      expect(names).toHaveLength(all - 1);
      for (const [at, before] of checkpoints.slice(0, -1).entries()) {
        const had = names.slice(0, at + 1).flat() as string[];
        const rest = names.slice(at + 1);
        const from = pages.slice((before.number ?? 1) - 1);
        const limit = all - had.length;
        for (const known of [how.known, [...how.known, ...had]])
          expect((await drive(from, { ...how, known, limit, before })).names).toEqual(rest);
      }
    }
  });
});

test("rows get the texts of the steps before, and keep their own values", async () => {
  const rows: Row[] = [];
  const pages = [{ ...page(1), rows: [{ name: "a", size: "1" }, { size: "2" }] }];
  await drive(pages, { texts: { name: "shop", town: "Ulm" } }, rows);
  expect(rows).toEqual([
    { name: "a", size: "1", town: "Ulm" },
    { name: "shop", size: "2", town: "Ulm" },
  ]);
});

test("rows within rows count each, up to the limit", async () => {
  const fields = [{ name: "name", list: { selector: "li", fields: [{ name: "size" }] } }] as ListField[];
  const pages = [page(1, '[["1"],["2"]]', '[["3"],["4"]]'), page(2, '[["5"]]')];
  const rows: Row[] = [];
  const told = await drive(pages, { fields, limit: 3 }, rows);
  expect(rows).toEqual([{ size: "1" }, { size: "2" }, { size: "3" }]);
  expect(told.read).toBe(1);
});

describe("what the rows of a list tell", () => {
  const letters = [..."abcdefghijkl"];

  test.each<[string, Page[], Drive, string[]]>([
    [
      "a field without a value",
      [page(1, "a")],
      { fields: [{ name: "name" }, { name: "x" }] },
      ["field_empty"],
    ],
    ["the first rows again on the first page", [page(1, ..."abcabc")], {}, ["rows_repeated"]],
    ["copies on a later page, of which the site may have two", [page(1, "x"), page(2, ..."abcabc")], {}, []],
    ["copies in a window, which moves", [{ ...page(1, ..."abcabc"), isWindow: true }], {}, []],
    [
      "rows that came before, among others",
      [page(1, ...letters, "x"), { ...page(2, "y", ...letters), findings }],
      {},
      ["rows_repeated"],
    ],
    [
      "rows that came before, in a list with a key",
      [page(1, ...letters, "x"), { ...page(2, "y", ...letters), findings }],
      { key: ["name"] },
      [],
    ],
    ["rows that the page has kept", [page(1, ...letters), { ...page(2, ...letters, "y"), findings }], {}, []],
    [
      "rows that a window has shown again",
      [{ ...page(1, "a"), findings: { ...findings, isRepeated: true } }],
      {},
      ["rows_repeated"],
    ],
    [
      "a new page, of which another one was unexpected",
      [{ ...page(1, "a"), identity: { url: undefined, digest: "a", isUnexpectedTwice: true } }],
      {},
      [],
    ],
    [
      "a page that came again unexpectedly",
      [
        page(1, "a"),
        {
          ...page(1, "a"),
          identity: { url: "https://shop.example/1", digest: "a", isUnexpectedTwice: true },
        },
      ],
      {},
      ["rows_repeated"],
    ],
  ])("%s", async (_, pages, how, expected) => {
    expect(
      (
        await drive(
          pages.map((each) => ({ findings, ...each })),
          how,
        )
      ).warnings,
    ).toEqual(expected);
  });

  test("is told with the number of the page", async () => {
    const { messages } = await drive([page(1, "a"), page(2, "b"), page(3, "b")]);
    expect(messages).toEqual([expect.stringContaining("Page 3 of the list")]);
  });

  test("fails the list if no row has any of its fields, after the rows are handed over", async () => {
    const told = await drive([{ ...page(1), rows: [{}, {}] }]);
    expect(told).toMatchObject({ names: [[undefined, undefined]], failure: { code: "fields_not_found" } });
    // The failure is not lost if the run is resumed here.
    expect(told.checkpoints.at(-1)).toMatchObject({ step: 1 });
  });

  test("is not told again of a page that a resumed run passes", async () => {
    const before: RunCheckpoint = {
      step: 1,
      loads: 4,
      texts: [],
      skip: 6,
      url: "https://shop.example/1",
      number: 1,
    };
    const repeated = { ...page(1, ..."abcabc", "d"), findings: { ...findings, isRepeated: true } };
    expect(await drive([repeated], { before })).toMatchObject({ names: [["d"]], warnings: [] });
    const again = { step: 1, loads: 4, texts: [], skip: 2 } satisfies RunCheckpoint;
    const pages = [page(1, "a"), page(2, "a"), page(3, "b")];
    expect(await drive(pages, { before: again })).toMatchObject({ names: [["b"]], warnings: [] });
  });
});

describe("a list that is resumed", () => {
  const fields = ["name", "price"].map((name) => ({ name }));
  const list = (...rows: string[]): Page[] => [
    {
      ...page(1),
      rows: rows.map((values) =>
        Object.fromEntries(values.split(" ").map((value, at) => [fields[at]?.name, value])),
      ),
    },
  ];
  const before = async () =>
    (await drive([...list("a 1", "b 2"), page(2, "c")], { fields })).checkpoints[0] as RunCheckpoint;

  test.each([
    ["with the same rows", list("a 1", "b 2", "c 3"), ["c"], []],
    ["with another value in the last of them", list("a 1", "b 9", "c 3"), ["c"], []],
    ["with a row before them", list("z 0", "a 1", "b 2", "c 3"), ["b", "c"], ["rows_may_be_missing"]],
    ["with fewer rows than before", list("a 1"), undefined, ["rows_may_be_missing"]],
  ])("%s", async (_, pages, names, warnings) => {
    const told = await drive(pages, { fields, before: await before() });
    expect(told).toMatchObject({ names: names ? [names] : [], warnings });
  });

  test("whose rows have no values is not compared", async () => {
    const [{ last }] = (await drive([{ ...page(1), rows: [{}] }, page(2, "b")])).checkpoints as [
      RunCheckpoint,
    ];
    expect(last).toEqual([null]);
  });
});

test("a field that an earlier attempt has found is not empty", async () => {
  const fields = [{ name: "name" }, { name: "size" }];
  const pages = [{ ...page(1), rows: [{ name: "a", size: "1" }] }, page(2, "b")];
  const [before] = (await drive(pages, { fields })).checkpoints;
  if (before === undefined) throw new Error("no checkpoint");
  expect(await drive(pages, { fields, before })).toMatchObject({ names: [["b"]], warnings: [] });
});

describe("a list that has ended", () => {
  const pages = [page(1, "a", "b"), page(2, "c")];
  const none: Pagination = { type: "none" };
  const scroll: Pagination = { type: "infinite_scroll" };

  test.each<[string, Page[], Drive, string[]]>([
    ["has fewer rows than its page says", pages, { declared: { rows: 4 } }, ["rows_may_be_missing"]],
    ["has as many rows as its page says", pages, { declared: { rows: 3 } }, []],
    ["has more rows than are wanted", pages, { declared: { rows: 4 }, limit: 3 }, []],
    ["has known rows, too", pages, { declared: { rows: 3 }, key: ["name"], known: ["a", "c"] }, []],
    [
      "has rows without a required field, too",
      [{ ...page(1), rows: [{ name: "a" }, {}, { name: "b" }] }],
      { declared: { rows: 3 }, fields: [{ name: "name", required: true }] },
      [],
    ],
    [
      "has rows without a required field, which an earlier attempt has counted",
      [{ ...page(1), rows: [{ name: "a" }, {}, { name: "b" }] }],
      {
        declared: { rows: 4 },
        fields: [{ name: "name", required: true }],
        before: {
          ...{ step: 1, loads: 1, texts: [], skip: 1, url: "https://shop.example/1", number: 1 },
          fields: { detailed: false, rows: 1, found: true, empty: [], blank: 0, omitted: 1 },
        },
      },
      ["rows_may_be_missing"],
    ],
    [
      "lacks columns in its last rows",
      [{ ...page(1), rows: [{ name: "a", size: "1" }] }, page(2, "b")],
      { declared: { missingColumns: 1 }, fields: [{ name: "name" }, { name: "size" }] },
      ["rows_may_be_missing"],
    ],
    [
      "has slides",
      [page(1, "a")],
      { declared: { areSlides: true }, pagination: none },
      ["rows_may_be_missing"],
    ],
    ["was asked for further slides", [page(1, "a")], { declared: { areSlides: true } }, []],
    ["stayed as it was when a script failed", [page(1, "a")], { scriptError: "x", pagination: none }, []],
    [
      "may have lost its next page to a script that failed",
      [page(1, "a")],
      { scriptError: "x" },
      ["rows_may_be_missing"],
    ],
    [
      "has got more rows before a script failed",
      pages,
      { scriptError: "x", pagination: none },
      ["rows_may_be_missing"],
    ],
    ["has grown and changed", pages.map(part), { changed: 2, pagination: scroll }, ["rows_changed"]],
    ["has grown and is as it was", pages, { pagination: scroll }, []],
    ["has one part, whose rows are new", [page(1, "a")], { changed: 2, pagination: scroll }, []],
    [
      "has windows, which don't stay",
      pages.map((each) => ({ ...each, isWindow: true })),
      { changed: 2, pagination: scroll },
      [],
    ],
    ["has pages, which don't stay", pages, { changed: 2 }, []],
  ])("%s", async (_, each, how, expected) => {
    expect((await drive(each, how)).warnings).toEqual(expected);
  });
});

describe("how far a list was read", () => {
  const all = Number.POSITIVE_INFINITY;
  const told = (pageLimit: number, left: number, pagesLeft: number, pagesWanted: number) => ({
    ...{ pageLimit, left, pagesLeft, pagesWanted },
  });
  const pages = [page(1, "a", "b"), page(2, "c"), page(3, "d")];
  const three: Pagination = { type: "next_button", max_pages: 3 };

  test.each<[string, Page[], Drive, ReturnType<typeof told>[]]>([
    [
      "by the rows of the largest page",
      pages,
      { limit: 9 },
      [told(9, 9, all, 9), told(9, 7, all, 4), told(8, 6, all, 3)],
    ],
    [
      "by the limit of pages",
      pages,
      { limit: 9, pagination: three },
      [told(9, 9, 3, 3), told(9, 7, 2, 2), told(8, 6, 1, 1)],
    ],
    [
      "with rows that pages keep",
      [page(1, "a", "b"), page(2, "a", "b", "c"), page(3, "d")],
      { limit: 9 },
      [told(9, 9, all, 9), told(9, 7, all, 4), told(9, 6, all, 2)],
    ],
    [
      "with rows within rows",
      [page(1, '[["1"],["2"]]', '[["3"]]'), page(2, '[["4"]]')],
      {
        limit: 9,
        fields: [{ name: "name", list: { selector: "li", fields: [{ name: "size" }] } }] as ListField[],
      },
      [told(9, 9, all, 9), told(8, 6, all, 3)],
    ],
    [
      "with known rows",
      pages,
      { limit: 9, key: ["name"], known: ["a", "d"] },
      [told(1e9, 9, all, 9), told(1e9 + 2, 8, all, 4), told(1e9 + 2, 7, all, 4)],
    ],
    [
      "to whatever rows the key leaves",
      pages.slice(0, 1),
      { limit: 9, key: ["name"] },
      [told(1e9, 9, all, 9)],
    ],
    [
      "to whatever rows have a required field",
      pages.slice(0, 1),
      { limit: 9, fields: [{ name: "x" }, { name: "name", required: true }] },
      [told(1e9, 9, all, 9)],
    ],
  ])("%s", async (_, each, how, expected) => {
    const { progress } = await drive(each, how);
    expect(progress.map(({ isFirst, ...rest }) => rest)).toEqual(expected);
    expect(progress.map(({ isFirst }) => isFirst)).toEqual(expected.map((_, at) => at === 0));
  });

  test("is counted from the page where it is resumed", async () => {
    const before: RunCheckpoint = {
      step: 1,
      loads: 4,
      texts: [],
      skip: 1,
      url: "https://shop.example/2",
      number: 2,
    };
    const { progress } = await drive(pages.slice(1), { before, limit: 9, pagination: three });
    expect(progress).toEqual([
      { ...told(10, 10, 2, 2), isFirst: true },
      { ...told(10, 9, 1, 1), isFirst: false },
    ]);
  });

  test("is counted with the rows that an earlier attempt had, although they are known by now", async () => {
    const before: RunCheckpoint = {
      step: 1,
      loads: 4,
      texts: [],
      skip: 2,
      url: "https://shop.example/1",
      number: 1,
    };
    const how = { before, limit: 9, key: ["name"], known: ["a", "b"] };
    const { progress } = await drive([page(1, "a", "b", "c"), page(2, "d")], how);
    expect(progress.map(({ left }) => left)).toEqual([11, 8]);
  });

  test("a limit of pages limits presses of a control, and not the windows that scrolling shows", async () => {
    const windows = pages.map((each) => ({ ...part(each), isWindow: true }));
    const names = async (type: "load_more" | "infinite_scroll", parts: Page[]) =>
      (await drive(parts.map(part), { pagination: { type, max_pages: 1 } })).names.length;
    expect(await names("load_more", windows)).toBe(3);
    expect(await names("load_more", pages)).toBe(1);
    expect(await names("infinite_scroll", windows)).toBe(1);
  });
});
