import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { HttpError } from "../../../functions/api/http-error.ts";
import { parseBody } from "../../../functions/api/parse-body.ts";
import { parseForm } from "../../../functions/api/parse-form.ts";

const FORM = "application/x-www-form-urlencoded";
const body = (text: string | Buffer) => ({
  body: Buffer.from(text).toString("base64"),
  isBase64Encoded: true,
});
const statusOf = (work: () => unknown) => {
  try {
    work();
    return 200;
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
};

describe("a form", () => {
  const expected = [
    { id: "open", url: "https://example.org/?a=1&b=2" },
    { id: "search", value: "tea & 漢字" },
  ];
  const encode = encodeURIComponent;

  test.each([
    [
      "with indexes, in any order",
      `steps[1][id]=search&steps[1][value]=${encode("tea & 漢字")}&steps[0][url]=${encode("https://example.org/?a=1&b=2")}&steps[0][id]=open`,
    ],
    [
      "with empty brackets",
      `steps[][id]=open&steps[][url]=${encode("https://example.org/?a=1&b=2")}&steps[][id]=search&steps[][value]=${encode("tea & 漢字")}`,
    ],
    [
      "with percent-encoded brackets",
      new URLSearchParams([
        ["steps[0][id]", "open"],
        ["steps[0][url]", "https://example.org/?a=1&b=2"],
        ["steps[1][id]", "search"],
        ["steps[1][value]", "tea & 漢字"],
      ]).toString(),
    ],
    ["with JSON", `steps=${encode(JSON.stringify(expected))}`],
  ])("spells steps %s", (_, text) => {
    expect(JSON.parse(JSON.stringify(parseForm(`scraper_id=s&${text}`)))).toEqual({
      scraper_id: "s",
      steps: expected,
    });
  });

  test("has a number where the contract has one, and text elsewhere", () => {
    expect({ ...parseForm("rows_limit=10&scraper_id=10") }).toEqual({ rows_limit: 10, scraper_id: "10" });
    expect({ ...parseForm("rows_limit=1e3") }).toEqual({ rows_limit: "1e3" });
    expect({ ...parseForm("rows_limit=-1") }).toEqual({ rows_limit: -1 });
  });

  test("reads + as a space and keeps = in values", () => {
    expect({ ...parseForm("a=b+c=d&e") }).toEqual({ a: "b c=d", e: "" });
  });

  test.each([
    "steps[0][id=1",
    "steps[a][b]=1",
    "steps[0]=1",
    "%zz=1",
    "a=%ff",
    "steps=[",
    "steps=[]&steps[][id]=1",
  ])("that is malformed is refused: %s", (text) => expect(statusOf(() => parseForm(text))).toBe(400));

  test("never touches a prototype, and ends for any text", () => {
    const names = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "steps", "a");
    const field = fc
      .tuple(names, fc.constantFrom("", "[]", "[0]", "[][x]"), names)
      .map(([a, b, c]) => `${a}${b}[${c}]=1`);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            field,
            fc.string(),
            names.map((name) => `${name}=1`),
          ),
        ),
        (fields) => {
          try {
            parseForm(fields.join("&"));
          } catch (error) {
            if (!(error instanceof HttpError)) throw error;
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
          expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        },
      ),
    );
    const form = parseForm("__proto__[][x]=1&steps[0][__proto__]=1");
    expect(Object.getPrototypeOf(form)).toBeNull();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("a body", () => {
  test.each([
    ["application/json", "{}", 200],
    ["Application/JSON; charset=UTF-8", "{}", 200],
    ["application/json; charset=latin1", "{}", 415],
    [FORM, "", 200],
    ["text/plain", "{}", 415],
    [undefined, "{}", 415],
    ["application/json", "{", 400],
    ["application/json", "", 400],
    ["application/json", Buffer.from([0x22, 0xff, 0x22]), 400],
    ["application/json", `"${"x".repeat(999_998)}"`, 200],
    ["application/json", `"${"x".repeat(999_999)}"`, 413],
  ])("of type %s: %.20s gives %i", (type, text, status) => {
    expect(statusOf(() => parseBody(type, body(text)))).toBe(status);
  });
});
