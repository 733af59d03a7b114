import { describe, expect, test } from "@jest/globals";
import type { Scraper } from "../../console/api/api.ts";
import { csvHead } from "../../console/format/csv-head.ts";
import { fileName } from "../../console/format/file-name.ts";
import {
  formFor,
  inputsFormFor,
  missingIn,
  type OwnInputs,
  ownInputsOf,
  ownSteps,
  type RunForm,
  readTable,
  startOf,
  tableText,
} from "../../console/run-with/run-form.ts";

const scraper = {
  id: "s",
  steps: [
    { id: "open", type: "visit", url: "https://example.org/" },
    { id: "search", type: "write_input", value: "lamp" },
    { id: "list", type: "get_list", selector: "li", fields: [{ name: "title" }] },
  ],
  rows_limit: 100,
  webhook_url: "https://example.org/hook",
} as unknown as Scraper;
const start = (values: Partial<RunForm> = {}) => startOf(scraper, { ...formFor(scraper), ...values });
const many = (values: Partial<RunForm>) => start({ isMany: true, ...values });
const textOf = async (started: ReturnType<typeof start>) =>
  started.kind === "file" ? { ...started, file: await started.file.text() } : started;

describe("a run", () => {
  test("has only the values that are not those of the scraper", () => {
    expect(start()).toEqual({ kind: "run", request: { scraper_id: "s" } });
    const values = { open: "https://example.org/", search: "" };
    expect(start({ values, rows_limit: " 5 ", webhook_url: "" })).toEqual({
      kind: "run",
      request: { scraper_id: "s", rows_limit: 5, steps: [{ id: "search", value: "" }] },
    });
  });

  test("again has the values of the earlier run, for the steps that are still the same", () => {
    const steps = [
      { type: "visit", url: "https://example.org/shop" },
      { type: "write_input", value: "chair" },
    ] as const;
    const earlier = { steps, rows_limit: 7, webhook_url: null };
    expect(startOf(scraper, formFor(scraper, earlier))).toEqual({
      kind: "run",
      request: {
        scraper_id: "s",
        rows_limit: 7,
        steps: [
          { id: "open", url: "https://example.org/shop" },
          { id: "search", value: "chair" },
        ],
      },
    });
    const moved = { ...earlier, steps: [steps[1], steps[0]] };
    expect(startOf(scraper, formFor(scraper, moved)).kind).toBe("run");
    expect(formFor(scraper, moved).values).toEqual({ open: "https://example.org/", search: "lamp" });
  });
});

describe("a batch", () => {
  test("has an input for each pasted line, and the other steps' values for all of them", () => {
    const values = { open: "https://example.org/shop", search: "lamp" };
    expect(many({ values, pasted: "lamp\r\n\n  red chair \n", step: "search" })).toEqual({
      kind: "batch",
      request: {
        scraper_id: "s",
        steps: [{ id: "open", url: "https://example.org/shop" }],
        inputs: [{ search: "lamp" }, { search: "red chair" }],
      },
    });
  });

  test.each(["article\tsearch\nA-1\tlamp", '"search",article\nlamp,A-1', "search\nlamp"])(
    "of a pasted table whose first line names a step is sent as a file: %j",
    async (pasted) => {
      const settings = { scraper_id: "s", rows_limit: 5 };
      expect(await textOf(many({ pasted, rows_limit: "5" }))).toEqual({
        kind: "file",
        file: pasted,
        settings,
      });
    },
  );

  test.each([
    [{ source: "csv_url", csv_url: " https://e.org/a.csv " }, { csv_url: "https://e.org/a.csv" }],
    [
      { source: "sitemap", sitemap: "https://e.org/s.xml", match: "", step: "open" },
      { sitemap: { url: "https://e.org/s.xml", step: "open" } },
    ],
    [
      { source: "rows_of", of: "other", field: "url", step: "open" },
      { rows_of: { scraper_id: "other", field: "url", step: "open" } },
    ],
    [
      { source: "rows_of", of: "other", run: "r", field: "url", step: "open" },
      { rows_of: { run_id: "r", field: "url", step: "open" } },
    ],
  ] as const)("gets its inputs from %j", (form, inputs_from) => {
    expect(many(form)).toEqual({ kind: "batch", request: { scraper_id: "s", inputs_from } });
  });

  test.each([
    [{ pasted: " \n" }, "pasted"],
    [{ pasted: "search\n" }, "pasted"],
    [{ source: "file" }, "file"],
    [{ source: "csv_url" }, "csv_url"],
    [{ source: "sitemap" }, "sitemap"],
    [{ source: "rows_of" }, "of"],
    [{ source: "rows_of", of: "other" }, "field"],
    [{ pasted: "lamp", rows_limit: "many" }, "rows_limit"],
  ] as const)("%j lacks %s", (values, name) => {
    const form = { ...formFor(scraper), isMany: true, ...values };
    expect(Object.keys(missingIn(form, ownSteps(scraper.steps)))).toEqual([name]);
  });
});

test("the names of columns are read from the first line of a CSV file", () => {
  expect(csvHead('input.search,"size, in ""cm""","two\nlines",title\r\nlamp,1,2,3\r\n')).toEqual([
    "input.search",
    'size, in "cm"',
    "two\nlines",
    "title",
  ]);
});

test("a file has the name of the scraper and the day of the rows", () => {
  expect(fileName("Foxed & Bound: Bücher/../x", "2026-11-26T12:00:00.000Z", "csv")).toBe(
    "Foxed-Bound-Bücher-x-2026-11-26.csv",
  );
  expect(fileName("???", "2026-11-26T12:00:00.000Z", "xlsx")).toBe("rows-2026-11-26.xlsx");
});

describe("the inputs of a scraper itself", () => {
  const steps = ownSteps(scraper.steps);
  const again = (own: OwnInputs) => ownInputsOf(inputsFormFor(own, steps), steps);

  test.each<[string, OwnInputs]>([
    ["with one column", { inputs: [{ search: "lamp" }, { search: "chair" }] }],
    ["with a column of one's own, quotes and line breaks", { inputs: [{ search: 'a "b"', nr: "1\t2\n3" }] }],
    ["at an address", { inputs_from: { csv_url: "https://example.org/words.csv" } }],
    [
      "in a sitemap",
      { inputs_from: { sitemap: { url: "https://example.org/sitemap.xml", match: "*/p/*", step: "open" } } },
    ],
    ["in rows of a scraper", { inputs_from: { rows_of: { scraper_id: "t", field: "url", step: "open" } } }],
    ["in rows of a run", { inputs_from: { rows_of: { run_id: "r", field: "url", step: "open" } } }],
  ])("%s are the same after the form", (_, own) => {
    expect(again(own)).toEqual(own);
  });

  test("are values of one step, one per line, or a table", () => {
    const form = { ...inputsFormFor({}, steps), pasted: "lamp\r\n\n chair \n" };
    expect(ownInputsOf(form, steps)).toEqual({ inputs: [{ search: "lamp" }, { search: "chair" }] });
    const table = { ...form, pasted: "nr;search;\n1;lamp, red;\n2" };
    expect(ownInputsOf(table, steps)).toEqual({
      inputs: [
        { nr: "1", search: "lamp, red" },
        { nr: "2", search: "" },
      ],
    });
  });
});

test("a table is the same after its text", () => {
  const rows = [
    ["a", 'with "quotes"', ""],
    ["two\nlines", "tab\there", "x"],
  ];
  expect(readTable(tableText(rows))).toEqual(rows);
  expect(readTable('5" tv,"a" b,"open\n1,2,3\r\n')).toEqual([
    ['5" tv', '"a" b', '"open'],
    ["1", "2", "3"],
  ]);
  expect(readTable("")).toEqual([]);
});
