import { expect, test } from "@jest/globals";
import type { Transform } from "../../../functions/contract/steps/transform.ts";
import { transformRows } from "../../../functions/values/transform-rows.ts";

/** The values of a column on a page that states a language. Values that are not read are null. */
function read(type: "number" | "date", texts: readonly string[], language?: string): (string | null)[] {
  const transforms: Transform[] = [{ type: "strip" }, { type }];
  const rows = texts.map((text) => ({ a: text }));
  const { samples } = transformRows(rows, [["a", transforms]], language);
  const results = new Map((samples.a ?? []).map((sample) => [sample.text, sample]));
  return texts.map((text) => {
    const result = results.get(text);
    return result && "value" in result ? result.value : null;
  });
}

test.each<[what: string, language: string | undefined, texts: string[], values: (string | null)[]]>([
  // The language alone.
  ["nothing but a language", "de", ["1.234 €", "2.499 €", "899 €"], [null, null, "899"]],
  ["a language that scripts ignore", "fr", ["1,234", "5,678"], [null, null]],
  ["the language of a template on a German page", "en", ["1.234 €", "2.499 €"], [null, null]],
  // The language and a value that shows it.
  ["a language that cents confirm", "de", ["1.234 €", "999,50 €"], ["1234", "999.50"]],
  ["the same with a country", "de-AT", ["1.234 €", "999,50 €"], ["1234", "999.50"]],
  ["the same as Java writes it", "de_DE", ["1.234 €", "999,50 €"], ["1234", "999.50"]],
  ["both separators in one value", "de", ["1.234", "1.234,56"], ["1234", "1234.56"]],
  ["groups in groups", "it", ["1.234", "1.234.567"], ["1234", "1234567"]],
  ["decimals of three digits", "fr", ["1,234", "0,987"], ["1.234", "0.987"]],
  ["English cents", "en", ["1,234", "$12.99"], ["1234", "12.99"]],
  ["Spanish in Mexico", "es", ["1,234", "12.99"], ["1234", "12.99"]],
  ["Spanish in Spain", "es", ["1.234", "12,99"], ["1234", "12.99"]],
  ["fuel prices in Switzerland", "de", ["1.789", "0.999"], ["1.789", "0.999"]],
  // A language that values contradict.
  ["English on a German page", "en", ["1.234 €", "12,99 €"], [null, "12.99"]],
  ["German on an English page", "de-DE", ["$1,234", "$12.99"], [null, "12.99"]],
  ["decimal points on a German page", "de-DE", ["1.789", "0.999"], [null, "0.999"]],
  ["two ways of writing in one column", "de", ["1.234", "12,99", "15.99"], [null, "12.99", "15.99"]],
  ["a wrong language", "fr-FR", ["1,234", "1,234.56"], [null, "1234.56"]],
  // What says nothing.
  ["no language", undefined, ["1.234 €", "999,50 €"], [null, "999.50"]],
  ["no language that is known", "xx-klingon", ["1.234 €", "999,50 €"], [null, "999.50"]],
  ["no language at all", "🙂", ["1.234 €", "999,50 €"], [null, "999.50"]],
  ["whole numbers, which all write alike", "de", ["1.234", "12", "899"], [null, "12", "899"]],
  ["what is no number", "de", ["1.234", "n/a"], [null, null]],
  ["several numbers, which no language makes one", "fr", ["Type 12 256", "12,50"], [null, "12.50"]],
])("numbers with %s", (_, language, texts, values) => {
  expect(read("number", texts, language)).toEqual(values);
});

test.each<[what: string, language: string | undefined, texts: string[], values: (string | null)[]]>([
  ["a language alone", "fr", ["03/04/2026", "05/06/2026"], [null, null]],
  ["English alone", "en", ["03/04/2026"], [null]],
  ["American alone, as WordPress states it by default", "en-US", ["03/04/2026"], [null]],
  ["British alone, as Joomla states it by default", "en-GB", ["03/04/2026"], [null]],
  ["English, and a day of 25", "en", ["03/04/2026", "25/12/2026"], ["2026-04-03", "2026-12-25"]],
  ["English, and a 25 at second place", "en", ["03/04/2026", "12/25/2026"], ["2026-03-04", "2026-12-25"]],
  ["American, and a day of 25", "en-US", ["03/04/2026", "25/12/2026"], [null, "2026-12-25"]],
  ["French, and a script's American dates", "fr", ["3/4/2026", "12/25/2026"], [null, "2026-12-25"]],
  ["French, and a day of 25", "fr", ["03/04/2026", "25/12/2026"], ["2026-04-03", "2026-12-25"]],
  [
    "both orders in one column",
    "en",
    ["03/04/2026", "25/12/2026", "12/25/2026"],
    [null, "2026-12-25", "2026-12-25"],
  ],
  ["a language that writes the year first", "sv", ["03/04/2026", "2026-12-25"], [null, "2026-12-25"]],
  ["a day that is the month, too", "en-GB", ["03/04/2026", "05/05/2026"], [null, "2026-05-05"]],
  ["a name of a month, which tells no order", "en-GB", ["03/04/2026", "5 May 2026"], [null, "2026-05-05"]],
  ["years first, which tell no order", "en-US", ["03/04/2026", "2026-12-25"], [null, "2026-12-25"]],
  ["no language", undefined, ["03/04/2026", "25/12/2026"], [null, "2026-12-25"]],
  ["relative dates", "de", ["vor 3 Tagen", "25.12.2026"], [null, "2026-12-25"]],
])("dates with %s", (_, language, texts, values) => {
  expect(read("date", texts, language)).toEqual(values);
});

test("a locale that is stated counts, whatever the page says", () => {
  const columns = [["a", [{ type: "number", locale: "en" }]]] as const;
  const { rows, refusals } = transformRows([{ a: "1,234" }, { a: "999,50" }], columns, "de");
  expect(rows).toEqual([{ a: "1234" }, { a: "999,50" }]);
  expect(refusals).toMatchObject([{ count: 1, value: "999,50" }]);
});
