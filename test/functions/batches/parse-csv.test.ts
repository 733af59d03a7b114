import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import { readBatchRequest } from "../../../functions/api/batches/read-batch-request.ts";
import { Upload } from "../../../functions/api/parse-body.ts";
import { decodeText } from "../../../functions/batches/decode-text.ts";
import { parseCsv } from "../../../functions/batches/parse-csv.ts";
import { parseJsonLines } from "../../../functions/batches/parse-json-lines.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";

const problemsOf = (parse: () => unknown): [string, string][] => {
  try {
    parse();
  } catch (error) {
    if (error instanceof ValidationError) return error.problems.map(({ path, message }) => [path, message]);
  }
  throw new Error("There is no problem.");
};

test("values may have quotation marks, delimiters and line breaks, and rows without values are left out", () => {
  const { inputs, placeOf } = parseCsv('a,b\r\n"x, ""y""","1\r\n2"\r\n\r\n , \r\nz,\r\n,\r\n');
  expect(inputs).toEqual([
    { a: 'x, "y"', b: "1\r\n2" },
    { a: "z", b: "" },
  ]);
  expect(placeOf(1)).toBe("row 5");
});

test.each([
  ["commas", "a,b\n1;2,3\n", { a: "1;2", b: "3" }],
  ["semicolons", "a;b\n1,2;3\n", { a: "1,2", b: "3" }],
  ["tabs", "a\tb\n1,2\t3\n", { a: "1,2", b: "3" }],
  ["semicolons after a quoted comma", '"a,x,y";b\n1;2\n', { "a,x,y": "1", b: "2" }],
])("values may be separated by %s", (_, text, expected) => {
  expect(parseCsv(text).inputs).toEqual([expected]);
});

test("a single column needs no delimiter, and a column without name and values is left out", () => {
  expect(parseCsv("word\nlamp\nchair\n").inputs).toEqual([{ word: "lamp" }, { word: "chair" }]);
  expect(parseCsv("word,\nlamp,\n").inputs).toEqual([{ word: "lamp" }]);
});

test.each([
  ["an empty file", "", [["", "The CSV file is empty. Its first row must have the names of the columns"]]],
  ["a header alone", "word\n", [["", "The CSV file has no rows after its header"]]],
  ["a column twice", "word,nr,word\na,1,b\n", [["", 'The CSV file has the column "word" twice']]],
  [
    "rows with other lengths than the header",
    "word,nr\na\nb,1\nc,2,3\n",
    [
      ["row 2", "has 1 values, but the header has 2"],
      ["row 4", "has a value in column 3, which has no name in the header"],
    ],
  ],
  [
    "a quotation mark that is never closed",
    'word\n"a\nb\n',
    [["", expect.stringContaining("can't be read")]],
  ],
])("%s is a problem", (_, text, problems) => {
  expect(problemsOf(() => parseCsv(text))).toEqual(problems);
});

test("of very many problems, a hundred are listed", () => {
  const problems = problemsOf(() => parseCsv(`a,b\n${"x\n".repeat(250)}`));
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toEqual(["", "and 150 more problems"]);
});

test("100,001 inputs are one too many", () => {
  const rows = "x\n".repeat(100_000);
  expect(parseCsv(`a\n${rows}`).inputs).toHaveLength(100_000);
  expect(problemsOf(() => parseCsv(`a\n${rows}x\n`))).toEqual([
    ["inputs", "must have at most 100000 inputs. Split them into several batches"],
  ]);
});

test("100,001 inputs are one too many as JSON and as JSON Lines, too", () => {
  const inputs = Array.from({ length: 100_001 }, () => ({ a: "x" }));
  const read = (body: unknown) => () => readBatchRequest(body, { scraper_id: "s" }, []);
  expect(problemsOf(read({ scraper_id: "s", inputs }))).toEqual([
    ["inputs", "must have at most 100000 inputs"],
  ]);
  const bytes = Buffer.from(inputs.map((input) => JSON.stringify(input)).join("\n"));
  expect(problemsOf(read(new Upload("application/jsonl", undefined, bytes)))).toEqual([
    ["inputs", "must have at most 100000 inputs. Split them into several batches"],
  ]);
  const { inputs: most } = read({ scraper_id: "s", inputs: inputs.slice(1) })();
  // A matcher would take longer than all the rest.
  expect(isDeepStrictEqual(most, { ...most, inputs: inputs.slice(1) })).toBe(true);
});

test("JSON Lines have one input per line; numbers become text, and null is no value", () => {
  const { inputs, placeOf } = parseJsonLines('{"word":"lamp","nr":7}\n\n{"word":"chair","nr":null}\n');
  expect(inputs).toEqual([{ word: "lamp", nr: "7" }, { word: "chair" }]);
  expect(placeOf(1)).toBe("line 3");
  expect(
    problemsOf(() => parseJsonLines('{"word":["lamp"]}\n{"word\n[]\n{"nr":12345678901234567890}\n')),
  ).toEqual([
    ["line 1.word", "must be a text"],
    ["line 2", "is not valid JSON"],
    ["line 3", "must be an object with a value for each step"],
    ["line 4.nr", "is too large for a number. Send it as a text"],
  ]);
  expect(problemsOf(() => parseJsonLines("\n\n"))).toEqual([["", "The file has no inputs"]]);
});

const word = "größer – 20 €";

test.each([
  ["UTF-8", Buffer.from(word)],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${word}`)],
  [
    "Windows-1252",
    Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65, 0x72, 0x20, 0x96, 0x20, 0x32, 0x30, 0x20, 0x80]),
  ],
  ["UTF-16 with a mark", Buffer.from(`\ufeff${word}`, "utf16le")],
  ["UTF-16 without a mark", Buffer.from(word, "utf16le")],
  ["UTF-16, big-endian, with a mark", Buffer.from(`\ufeff${word}`, "utf16le").swap16()],
])("a text in %s is read as it is", (_, bytes) => {
  expect(decodeText(bytes)).toBe(word);
});

test("a stated encoding counts, unless a mark says otherwise", () => {
  expect(decodeText(Buffer.from([0xc0, 0xcf]), "koi8-r")).toBe("юо");
  expect(decodeText(Buffer.from("\ufeffä"), "windows-1252")).toBe("ä");
  expect(problemsOf(() => decodeText(Buffer.from("a"), "no-such-encoding"))).toEqual([
    ["", 'The encoding "no-such-encoding" is not known. Use UTF-8'],
  ]);
  expect(problemsOf(() => decodeText(Buffer.from([0xff]), "utf-8"))).toEqual([
    ["", "The file is not valid utf-8"],
  ]);
});
