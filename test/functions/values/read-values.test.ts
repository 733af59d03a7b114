import { describe, expect, test } from "@jest/globals";
import { readDate } from "../../../functions/values/read-date.ts";
import { readNumber } from "../../../functions/values/read-number.ts";
import { Refusal } from "../../../functions/values/refusal.ts";

/** The locales whose formats, as CLDR has them, are read. */
const LOCALES =
  "en-US en-GB en-IN de-DE de-CH de-AT fr-FR fr-CH es-ES es-MX it-IT pt-BR pt-PT nl-NL pl-PL ru-RU uk-UA cs-CZ sv-SE nb-NO da-DK fi-FI hu-HU ro-RO tr-TR el-GR ja-JP zh-CN ko-KR hi-IN ar-EG he-IL fa-IR th-TH vi-VN".split(
    " ",
  );

/** The value; undefined if it is refused. */
function orRefusal(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** What is read wrong, and how much of the rest is read at all. */
function judged(cases: { text: string; locale: string; wanted: string; read: string | undefined }[]) {
  return {
    wrong: cases.filter(({ wanted, read }) => read !== undefined && read !== wanted),
    share: cases.filter(({ read }) => read !== undefined).length / cases.length,
  };
}

describe("numbers in the formats of CLDR", () => {
  const numbers = [0, 7, -5, 12.5, 99.99, 999, 1234, 1234.5, -1234.56, 12_345, 123_456.78, 1_234_567.89];
  const styles: Intl.NumberFormatOptions[] = [
    {},
    { style: "currency", currency: "EUR" },
    { style: "currency", currency: "USD", currencyDisplay: "code" },
    { style: "percent", maximumFractionDigits: 2 },
    { style: "unit", unit: "kilogram" },
  ];
  const formatted = LOCALES.flatMap((locale) =>
    styles.flatMap((style) =>
      numbers.map((number) => {
        const format = new Intl.NumberFormat(locale, style);
        const { maximumFractionDigits = 0 } = format.resolvedOptions();
        const shown = style.style === "percent" ? number / 100 : number;
        return { text: format.format(shown), locale, number, maximumFractionDigits };
      }),
    ),
  );
  // Two ways of writing the same number, such as 12.50 and 12.5, are one value.
  const plain = (text: string | undefined) => text && String(Number(text));

  test("with the locale, nearly all are read, and none wrong", () => {
    const cases = formatted.map(({ text, locale, number }) => ({
      text,
      locale,
      wanted: String(number),
      read: plain(orRefusal(() => readNumber(text, locale))),
    }));
    expect(cases.length).toBeGreaterThan(300);
    const { wrong, share } = judged(cases);
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.97);
  });

  test("without a locale, none is read wrong", () => {
    const { wrong, share } = judged(
      formatted.map(({ text, locale, number }) => ({
        text,
        locale,
        wanted: String(number),
        read: plain(orRefusal(() => readNumber(text))),
      })),
    );
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.6);
  });

  test("abbreviated numbers are refused", () => {
    const read = [...LOCALES, "sw"].flatMap((locale) =>
      (["short", "long"] as const).flatMap((compactDisplay) =>
        [1500, 25_000, 3_000_000, 7e9, 2e12].flatMap((number) => {
          const format = new Intl.NumberFormat(locale, { notation: "compact", compactDisplay });
          const isAbbreviated = format.formatToParts(number).some(({ type }) => type === "compact");
          const text = format.format(number);
          return isAbbreviated ? [{ locale, text, read: orRefusal(() => readNumber(text, locale)) }] : [];
        }),
      ),
    );
    expect(read.length).toBeGreaterThan(200);
    expect(read.filter((one) => one.read !== undefined)).toEqual([]);
  });
});

describe("dates in the formats of CLDR", () => {
  const days = ["2026-03-04", "2026-12-31", "2024-02-29", "1999-10-08", "2026-07-11", "2026-05-01"];
  const formatted = LOCALES.flatMap((locale) =>
    (["full", "long", "medium", "short"] as const).flatMap((dateStyle) =>
      days.flatMap((day) =>
        [undefined, "short" as const].map((timeStyle) => {
          const options = { dateStyle, ...(timeStyle && { timeStyle }), timeZone: "UTC" };
          const text = new Intl.DateTimeFormat(locale, options).format(Date.parse(`${day}T21:05:00Z`));
          return { text, locale, wanted: timeStyle ? `${day}T21:05` : day };
        }),
      ),
    ),
  );

  test.each(["ja-JP", "sv-SE", "hu-HU", "fr-CA", "zh-CN"])(
    "%s writes the year first, so that it does not tell which of two numbers is the month",
    (locale) => {
      expect(orRefusal(() => readDate("03/04/2026", locale))).toBeUndefined();
      expect(orRefusal(() => readDate("25/12/2026", locale))).toBe("2026-12-25");
    },
  );

  test.each([["with the locale", true, 0.55] as const, ["without a locale", false, 0.4] as const])(
    "%s, none is read wrong",
    (_, isStated, least) => {
      const cases = formatted.map(({ text, locale, wanted }) => ({
        text,
        locale,
        wanted,
        read: orRefusal(() => readDate(text, isStated ? locale : undefined)),
      }));
      expect(cases.length).toBeGreaterThan(300);
      const { wrong, share } = judged(cases);
      expect(wrong).toEqual([]);
      expect(share).toBeGreaterThan(least);
    },
  );
});

test.each<[text: string, value: string | null, german: string | null]>([
  ["1.234,56 €", "1234.56", "1234.56"],
  ["1,234.56", "1234.56", null],
  ["−5", "-5", "-5"],
  ["1 234", "1234", "1234"],
  ["n/a", null, null],
  ["", null, null],
  ["1.234", null, "1234"],
  ["1,234", null, "1.234"],
  ["1234.567", "1234.567", null],
  ["0.125", "0.125", null],
  ["1,23,456", "123456", null],
  ["1.23.456", null, null],
  ["1'234.50", "1234.50", null],
  ["$.99", "0.99", null],
  ["S/.50", null, null],
  ["S/.1,500.00", "1500.00", null],
  ["S/.1.500,00", "1500.00", "1500.00"],
  ["-$5", "-5", "-5"],
  ["- 5,00 €", "-5.00", "-5.00"],
  ["5.–", "5", "5"],
  ["5,– €", "5", "5"],
  ["(5)", "5", "5"],
  ["($5.00)", null, null],
  ["Size - 5", null, null],
  ["5-", null, null],
  ["5,00 €-", null, null],
  ["12,50 EUR -", null, null],
  ["5,00 € - Rest", "5.00", "5.00"],
  ["1 234:-", "1234", "1234"],
  ["Balance: -5", "-5", "-5"],
  ["1.5k", null, null],
  ["£3m", null, null],
  ["3 Mio.", null, null],
  ["5 ngàn", null, null],
  ["5 tỉ đồng", null, null],
  ["5 हजार", null, null],
  ["12万円", null, null],
  ["120 m²", "120", "120"],
  ["3 km²", "3", "3"],
  ["10 GB", "10", "10"],
  ["12 km", "12", "12"],
  ["10.000 km", null, "10000"],
  ["$12 mm", null, null],
  ["12 kM", null, "12"],
  ["1.5 L", null, null],
  ["1,5 L", null, "1.5"],
  ["85 m2", "85", "85"],
  ["85 m2, 3 rooms", null, null],
  ["Size m2", "2", "2"],
  ["Type 12 256", null, null],
  ["19⁹⁹", null, null],
  ["1½", null, null],
  ["3 ½ Zi.", null, null],
  ["5 ³⁄₄ in", null, null],
  ["½ 3", null, null],
  ["9.99 ²", "9.99", null],
  ["10-20", null, null],
  ["12:30", null, null],
  ["1.2.3", null, null],
  ["12.03.2026", null, null],
  ["1e3", null, null],
  ["4.5 out of 5", null, null],
  ["١٬٢٣٤٫٥", "1234.5", "1234.5"],
  ["۱۲۳۴٫۵", "1234.5", "1234.5"],
  ["１２３", "123", "123"],
  ["007", "7", "7"],
  ["-0", "0", "0"],
  ["9".repeat(40), "9".repeat(40), "9".repeat(40)],
  ["9".repeat(2_000), null, null],
])("the number of %j is %j", (text, value, german) => {
  expect(orRefusal(() => readNumber(text)) ?? null).toBe(value);
  expect(orRefusal(() => readNumber(text, "de")) ?? null).toBe(german);
});

test.each<[text: string, value: string | null, british: string | null]>([
  ["2026-03-04", "2026-03-04", "2026-03-04"],
  ["2026-03-04T10:11:12.5Z", "2026-03-04T10:11:12Z", "2026-03-04T10:11:12Z"],
  ["2026-03-04 10:11 +0130", "2026-03-04T10:11+01:30", "2026-03-04T10:11+01:30"],
  ["2026/3/4", "2026-03-04", "2026-03-04"],
  ["03/04/2026", null, "2026-04-03"],
  ["04/04/2026", "2026-04-04", "2026-04-04"],
  ["25.12.2026", "2026-12-25", "2026-12-25"],
  ["12/25/2026", "2026-12-25", null],
  ["3 March 2026", "2026-03-03", "2026-03-03"],
  ["Published on Mar 3rd, 2026 by Anna", "2026-03-03", "2026-03-03"],
  ["3. März 2026, 14:05 Uhr", "2026-03-03T14:05", null],
  ["12:05 a.m., 3 March 2026", "2026-03-03T00:05", "2026-03-03T00:05"],
  ["13:05 PM, 3 March 2026", null, null],
  ["Tue, 03 Mar 2026 10:00:00 GMT", "2026-03-03T10:00:00Z", "2026-03-03T10:00:00Z"],
  ["3 March 2026 10:00 CET", null, null],
  ["2026年3月3日 下午3:05", null, null],
  ["3 March 2026 – 5 April 2026", null, null],
  ["3 March 2026, 12 comments", null, null],
  ["12 listopad 2026", null, null],
  ["3 de marzo de 2026", "2026-03-03", null],
  ["3 de març de 2026", "2026-03-03", null],
  ["3 de mzo de 2026", null, null],
  ["31 February 2026", null, null],
  ["29 February 2026", null, null],
  ["3 มีนาคม 2569", null, null],
  ["۱۴۰۵/۱/۱۵", null, null],
  ["yesterday", null, null],
  ["vor 3 Tagen", null, null],
  ["3 days ago", null, null],
  ["March 2026", null, null],
  ["3.4.26", null, null],
  ["", null, null],
  ["1".repeat(2_000), null, null],
])("the date of %j is %j", (text, value, british) => {
  expect(orRefusal(() => readDate(text)) ?? null).toBe(value);
  expect(orRefusal(() => readDate(text, "en-GB")) ?? null).toBe(british);
});
