import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { columnsOf } from "../../../functions/rows/columns.ts";
import { type FormatOptions, formats } from "../../../functions/rows/formats.ts";

async function* batches(...given: Row[][]): AsyncGenerator<Buffer[]> {
  for (const batch of given) yield batch.map((row) => Buffer.from(JSON.stringify(row)));
}

async function written(name: keyof typeof formats, given: Row[][], options: Partial<FormatOptions> = {}) {
  const columns = [...new Set(given.flat().flatMap((row) => Object.keys(row)))];
  const all = { columns, isWhole: true, bom: false, escapesFormulas: false, isTyped: true, ...options };
  const parts = await Array.fromAsync(
    formats[name].write(() => batches(...given), all),
    (part) => Buffer.from(part),
  );
  return Buffer.concat(parts);
}

const rows: Row[][] = [[{ a: "1", b: "x, y" }, { a: 'say "hi"' }], [{ a: "line\r\nbreak", b: "=1+1" }]];

describe("json and jsonl", () => {
  test("have the rows", async () => {
    expect(JSON.parse(String(await written("json", rows)))).toEqual(rows.flat());
    expect(JSON.parse(String(await written("json", [])))).toEqual([]);
    const lines = String(await written("jsonl", rows)).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows.flat());
  });

  test("have the wanted fields in their order", async () => {
    const options = { isWhole: false, columns: ["b", "__proto__"] };
    expect(String(await written("jsonl", rows, options))).toBe('{"b":"x, y"}\n{}\n{"b":"=1+1"}\n');
  });
});

describe("csv", () => {
  test("quotes each kind of line break", async () => {
    const rows = [[{ a: "one\ntwo", b: "one\rtwo" }, { a: "one\r\ntwo" }]];
    expect(String(await written("csv", rows, { columns: ["a", "b"] }))).toBe(
      'a,b\r\n"one\ntwo","one\rtwo"\r\n"one\r\ntwo",\r\n',
    );
  });

  test("is as RFC 4180 says", async () => {
    expect(String(await written("csv", rows))).toBe(
      'a,b\r\n1,"x, y"\r\n"say ""hi""",\r\n"line\r\nbreak",=1+1\r\n',
    );
    expect(String(await written("csv", [], { columns: ["a", "b"] }))).toBe("a,b\r\n");
  });

  test("has a byte order mark and harmless formulas where that is wanted", async () => {
    const text = String(
      await written("csv", [[{ a: "=1+1", "=b": "x;=1;y" }]], { bom: true, escapesFormulas: true }),
    );
    expect(text).toBe("\ufeffa,'=b\r\n'=1+1,x;'=1;y\r\n");
  });

  test("has no empty line where the only column is empty", async () => {
    expect(String(await written("csv", [[{ a: "x" }, {}]]))).toBe(
      '"a"\r\n"x"\r\n""\r\n'.replaceAll('"a"', "a").replace('"x"', "x"),
    );
  });
});

/** The files of a ZIP archive, found by its central directory. */
function unzip(zip: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  const end = zip.lastIndexOf("PK\x05\x06");
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength, extraLength, commentLength, header] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const data = zip.subarray(start, start + size);
    files[name] = (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data).toString();
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

describe("xlsx", () => {
  const sheetOf = async (given: Row[][], options = {}) =>
    unzip(await written("xlsx", given, options))["xl/worksheets/sheet1.xml"] ?? "";

  test("is a workbook with a sheet, whose header is bold and stays in view", async () => {
    const files = unzip(await written("xlsx", rows));
    expect(Object.keys(files).sort()).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      "xl/_rels/workbook.xml.rels",
      "xl/styles.xml",
      "xl/workbook.xml",
      "xl/worksheets/sheet1.xml",
    ]);
    const sheet = files["xl/worksheets/sheet1.xml"];
    expect(sheet).toContain('state="frozen"');
    expect(sheet).toContain('<c r="A1" t="inlineStr" s="1"><is><t xml:space="preserve">a</t></is></c>');
    expect(sheet).toContain('<c r="B4" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
    expect(sheet).not.toContain('r="B3"');
  });

  test("has any text", async () => {
    const sheet = await sheetOf([[{ a: "<&>\r\n\u0001 _x0041_ \ud800 😀" }]]);
    expect(sheet).toContain("&lt;&amp;&gt;&#13;\n_x0001_ _x005F_x0041_ \ufffd 😀</t>");
  });

  test("says where a text is longer than Excel takes", async () => {
    const [, text = ""] =
      /<c r="A2"[^>]*><is><t[^>]*>([^<]*)</.exec(await sheetOf([[{ a: "x".repeat(40_000) }]])) ?? [];
    expect(text).toHaveLength(32_767);
    expect(text).toMatch(/x … \[cut: .*\]$/);
  });

  test("has numbers and dates where a column is certain to hold them, and widths", async () => {
    const given = [
      [{ n: "4.70", t: "12 a", d: "2026-11-25" }],
      [{ n: "-1,234.50", t: "7", d: "2026-03-01" }, { t: "a longer text" }],
    ];
    const files = unzip(await written("xlsx", given));
    const sheet = files["xl/worksheets/sheet1.xml"] ?? "";
    const formats = [...(files["xl/styles.xml"] ?? "").matchAll(/formatCode="(.*?)"/g)].map(
      ([, code]) => code,
    );
    const cell = (name: string) => {
      const [, style = "", value] =
        new RegExp(`<c r="${name}"(?: s="(\\d+)")?><v>(.*?)</v></c>`).exec(sheet) ?? [];
      return [value, formats[Number(style) - 2]];
    };
    expect([cell("A2"), cell("A3"), cell("C3")]).toEqual([
      ["4.7", "#,##0.00"],
      ["-1234.5", "#,##0.00"],
      ["46082", "yyyy-mm-dd"],
    ]);
    expect(sheet).toContain('<c r="B3" t="inlineStr"><is>');
    expect(sheet).toContain(
      '<cols><col min="1" max="1" width="12" customWidth="1"/><col min="2" max="2" width="15"',
    );
    const asText = await sheetOf(given, { isTyped: false });
    expect(asText).toContain('<c r="A2" t="inlineStr"><is><t xml:space="preserve">4.70</t>');
    expect(asText).not.toContain("<v>");
  });

  test("has a value as text if the rows have changed since the first reading", async () => {
    const values = ["1", "one"];
    const read = () => batches([{ a: values.shift() ?? "" }]);
    const options = { columns: ["a"], isWhole: true, bom: false, escapesFormulas: false, isTyped: true };
    const parts = await Array.fromAsync(formats.xlsx.write(read, options), (part) => Buffer.from(part));
    expect(unzip(Buffer.concat(parts))["xl/worksheets/sheet1.xml"]).toContain(
      '<c r="A2" t="inlineStr"><is><t xml:space="preserve">one</t>',
    );
  });

  test("has columns beyond Z", async () => {
    const columns = Array.from({ length: 703 }, (_, index) => `c${index}`);
    expect(await sheetOf([], { columns })).toMatch(/r="Z1".*r="AA1".*r="ZZ1".*r="AAA1"/);
  });
});

test("columns are the fields that the steps name, in their order, each once", () => {
  const steps = [
    { type: "visit", url: "https://example.org/" },
    { type: "get_text", field_name: "found" },
    {
      type: "get_list",
      selector: "li",
      fields: [{ name: "title" }, { name: "url", attribute: "href" }],
      details: { url_field: "url", fields: [{ name: "author" }, { name: "title" }] },
    },
  ] as const;
  expect(columnsOf(steps as never)).toEqual(["found", "title", "url", "author"]);
});
