import { expect, test } from "@jest/globals";
import { ColumnScan } from "../../../functions/rows/column-types.ts";

function scanned(texts: readonly string[]) {
  const scan = new ColumnScan();
  for (const text of texts) scan.add(text);
  const type = scan.type();
  return (
    type && {
      kind: type.kind,
      values: texts.map(type.read),
      decimals: type.decimals,
      isGrouped: type.isGrouped,
    }
  );
}

test.each([
  [["1", "20", "0"], [1, 20, 0], 0, false],
  [["4.7", "-4.5"], [4.7, -4.5], 1, false],
  [["4.5", "4.25", "4"], [4.5, 4.25, 4], undefined, false],
  [["1,234.50"], [1234.5], 2, true],
  [["1.234,50", "3,00"], [1234.5, 3], 2, true],
  // By itself, 1,234 could also be 1.234 in another country.
  [["1,234", "2,000,000"], [1234, 2_000_000], 0, true],
  [["1.234", "4.7"], [1.234, 4.7], undefined, false],
  [["1\u202f299,00", "5,00"], [1299, 5], 2, true],
  [["12\u2019345"], [12_345], 0, true],
  [["4006381333931"], [4_006_381_333_931], 0, false],
])("numbers: %j", (texts, values, decimals, isGrouped) => {
  expect(scanned(texts)).toEqual({ kind: "number", values, decimals, isGrouped });
});

test.each([
  [["2026-11-25", "1900-03-01"], "date", [46_351, 61]],
  [["25.11.2026", "1.2.2026"], "date", [46_351, 46_054]],
  [["11/25/2026", "2/1/2026"], "date", [46_351, 46_054]],
  [["25/11/2026", "1/2/2026"], "date", [46_351, 46_054]],
  [["2026-11-25T12:00", "2026-11-25 18:00:00"], "time", [46_351.5, 46_351.75]],
])("dates: %j", (texts, kind, values) => {
  expect(scanned(texts)).toMatchObject({ kind, values });
});

test.each([
  ["no values", []],
  ["one text among them", ["1", "2", "many"]],
  ["thousands or decimals", ["1,234"]],
  ["thousands or decimals in all rows", ["1.234", "5.678"]],
  ["day or month", ["1/2/2026", "3/4/2026"]],
  ["a notation for each row", ["1.5", "1,5"]],
  ["postal codes", ["01067", "12345"]],
  ["telephone numbers", ["+4930123456"]],
  ["telephone numbers with spaces", ["555 123"]],
  ["versions", ["1.2", "1.10"]],
  ["more digits than a spreadsheet keeps", ["12345678901234567890"]],
  ["an exponent", ["1e5"]],
  ["percent", ["5 %"]],
  ["a price", ["\u00a33.00"]],
  ["no such day", ["2026-02-30"]],
  ["days before spreadsheets count", ["1900-02-28"]],
  ["times with a zone", ["2026-11-25T12:00:00Z"]],
  ["no such time", ["2026-11-25 24:00"]],
  ["a number and a date", ["1", "2026-11-25"]],
  ["very long digits", ["1".repeat(40_000)]],
])("text: %s", (_, texts) => {
  expect(scanned(texts)).toBeUndefined();
});

test("empty values say nothing, and the longest value is known", () => {
  const scan = new ColumnScan();
  for (const text of ["", "12", "", "3456"]) scan.add(text);
  expect(scan.type()?.kind).toBe("number");
  expect(scan.length).toBe(4);
});
