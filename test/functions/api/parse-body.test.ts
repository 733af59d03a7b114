import { describe, expect, test } from "@jest/globals";
import middy from "@middy/core";
import { HttpError } from "../../../functions/api/http-error.ts";
import { parseBody as bodyParsers } from "../../../functions/api/parse-body.ts";
import { fc } from "../../fast-check.ts";

const FORM = "application/x-www-form-urlencoded";
const parser = middy()
  .use(bodyParsers({ form: true }))
  .handler((event: { body: unknown }) => event.body) as unknown as (
  event: object,
  context: object,
) => Promise<unknown>;
const parseBody = (type: string | undefined, body: { body: string; isBase64Encoded: boolean }) =>
  parser({ headers: { "content-type": type }, ...body }, {});
const parseForm = async (text: string) => (await parseBody(FORM, body(text))) as Record<string, unknown>;
const body = (text: string | Buffer) => ({
  body: Buffer.from(text).toString("base64"),
  isBase64Encoded: true,
});
const statusOf = async (work: () => Promise<unknown>) => {
  try {
    await work();
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
  ])("has steps %s", async (_, text) => {
    expect(JSON.parse(JSON.stringify(await parseForm(`scraper_id=s&${text}`)))).toEqual({
      scraper_id: "s",
      steps: expected,
    });
  });

  test("with indexes and empty brackets has the indexed objects first; the last value of a property counts", async () => {
    const text =
      "steps[][id]=c&steps[2][id]=b&steps%5B%5D%5Bvalue%5D=3&steps[][%69d]=d&steps[1][id]=x&steps[01][id]=a";
    expect(JSON.parse(JSON.stringify(await parseForm(text)))).toEqual({
      steps: [{ id: "a" }, { id: "b" }, { id: "c", value: "3" }, { id: "d" }],
    });
    expect({ ...(await parseForm("a=1&&a=2&")) }).toEqual({ a: "2" });
  });

  test("has at most 1,000 fields", async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join("&");
    expect(Object.keys(await parseForm(fields(1_000)))).toHaveLength(1_000);
    expect(await statusOf(() => parseForm(fields(1_001)))).toBe(400);
  });

  test("has a number in rows_limit, true or false in only_new, and text elsewhere", async () => {
    expect({ ...(await parseForm("rows_limit=10&scraper_id=10")) }).toEqual({
      rows_limit: 10,
      scraper_id: "10",
    });
    expect({ ...(await parseForm("rows_limit=1e3")) }).toEqual({ rows_limit: "1e3" });
    expect({ ...(await parseForm("rows_limit=-1")) }).toEqual({ rows_limit: -1 });
    expect({ ...(await parseForm("only_new=true")) }).toEqual({ only_new: true });
    expect({ ...(await parseForm("only_new=yes")) }).toEqual({ only_new: "yes" });
  });

  test("reads + as a space and keeps = in values", async () => {
    expect({ ...(await parseForm("a=b+c=d&e")) }).toEqual({ a: "b c=d" });
  });

  test.each([
    "steps[0][id=1",
    "steps[a][b]=1",
    "steps[0]=1",
    "steps[1000000][id]=1",
    "=1",
    "%c3&%a9",
    "%zz=1",
    "a=%ff",
    "steps=[",
    "steps=[]&steps[][id]=1",
  ])("is malformed: %s", async (text) => expect(await statusOf(() => parseForm(text))).toBe(400));

  test("never touches a prototype, and ends for any text", async () => {
    const names = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "steps", "a");
    const field = fc
      .tuple(names, fc.constantFrom("", "[]", "[0]", "[][x]"), names)
      .map(([a, b, c]) => `${a}${b}[${c}]=1`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            field,
            fc.string(),
            names.map((name) => `${name}=1`),
          ),
        ),
        async (fields) => {
          try {
            await parseForm(fields.join("&"));
          } catch (error) {
            if (!(error instanceof HttpError)) throw error;
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
          expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        },
      ),
    );
    const form = await parseForm("__proto__[][x]=1&steps[0][__proto__]=1");
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
  ])("of type %s: %.20s gives %i", async (type, text, status) => {
    expect(await statusOf(() => parseBody(type, body(text)))).toBe(status);
  });
});

test("an empty field of a form is not given, except for the text of a step", async () => {
  const form = await parseForm(
    "scraper_id=s&webhook_url=&rows_limit=&steps[0][id]=a&steps[0][value]=&steps[0][url]=&steps[0][type]=",
  );
  expect(JSON.parse(JSON.stringify(form))).toEqual({ scraper_id: "s", steps: [{ id: "a", value: "" }] });
  expect(JSON.parse(JSON.stringify(await parseForm("scraper_id=s&steps=")))).toEqual({ scraper_id: "s" });
});

test.each([
  ["gzip", 415],
  ["br", 415],
  ["identity", 200],
  [undefined, 200],
])("a body with Content-Encoding %s gets %i", async (encoding, status) => {
  const headers = { "content-type": "application/json", "content-encoding": encoding };
  expect(await statusOf(() => parser({ headers, ...body("{}") }, {}))).toBe(status);
});
