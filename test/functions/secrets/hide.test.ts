import { afterAll, describe, expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { createHider, type Hider } from "../../../functions/secrets/hide.ts";
import { SecretSearch } from "../../../functions/secrets/search.ts";
import { fc, newSeed, tries } from "../../fast-check.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const units = (value: string) => [...Array(value.length).keys()].map((at) => value.charCodeAt(at));

/** The ways in which a page may write a value. */
const writings: Record<string, (value: string) => string> = {
  "as it is": (value) => value,
  "with its white space collapsed": (value) => value.trim().replace(/\s+/g, " "),
  "percent-encoded": encodeURIComponent,
  "percent-encoded twice": (value) => encodeURIComponent(encodeURIComponent(value)),
  "percent-encoded in small letters": (value) =>
    encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  "percent-encoded, all of it": (value) =>
    [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "in a form": (value) => new URLSearchParams({ value }).toString().slice("value=".length),
  "in a query that a browser has mended": (value) =>
    new URL(`http://x/?a=${value.replace(/[#\t\r\n]/g, encodeURIComponent)}z`).search,
  "in HTML": (value) => value.replace(/[&<>"]/g, (one) => escapes[one] ?? one),
  "in HTML, by numbers": (value) => [...value].map((one) => `&#${one.codePointAt(0)};`).join(""),
  "in JSON": (value) => JSON.stringify(value).slice(1, -1),
  "in JSON, by numbers": (value) =>
    units(value)
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  "in base 64": (value) => Buffer.from(value).toString("base64"),
  "in base 64 for addresses": (value) => Buffer.from(value).toString("base64url"),
};
/** The same, less usual: tried with fewer values. */
const rareWritings: Record<string, (value: string) => string> = {
  "in base 64, percent-encoded": (value) => encodeURIComponent(Buffer.from(value).toString("base64")),
  "in base 64 of UTF-16": (value) => Buffer.from(value, "utf16le").toString("base64"),
  "in hexadecimal": (value) => Buffer.from(value).toString("hex"),
  "in hexadecimal, byte by byte": (value) => bytesOf(value, 16).join(" "),
  "in hexadecimal, by commas": (value) =>
    bytesOf(value, 16)
      .map((byte) => `0x${byte}`)
      .join(", "),
  "in hexadecimal by code unit": (value) =>
    units(value)
      .map((unit) => hex(unit, 4))
      .join(""),
  "in binary": (value) =>
    bytesOf(value, 2)
      .map((byte) => byte.padStart(8, "0"))
      .join(" "),
  "in escapes of bytes": (value) =>
    bytesOf(value, 16)
      .map((byte) => `\\x${byte.padStart(2, "0")}`)
      .join(""),
  "in escapes of bytes in octal": (value) =>
    bytesOf(value, 8)
      .map((byte) => `\\${byte.padStart(3, "0")}`)
      .join(""),
  "in escapes of code points": (value) =>
    [...value].map((one) => `\\u{${hex(one.codePointAt(0) ?? 0)}}`).join(""),
  "in JSON within JSON": (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  "in a style sheet": (value) => [...value].map((one) => `\\${hex(one.codePointAt(0) ?? 0)} `).join(""),
  "in a style sheet, six digits": (value) =>
    [...value].map((one) => `\\${hex(one.codePointAt(0) ?? 0, 6)}`).join(""),
  "by escape()": escape,
  "quoted-printable": (value) =>
    bytesOf(value, 16)
      .map((byte) => `=${byte.padStart(2, "0")}`)
      .join(""),
  "in HTML, by hexadecimal numbers": (value) =>
    [...value].map((one) => `&#x${hex(one.codePointAt(0) ?? 0)};`).join(""),
  "in HTML, by numbers without semicolons": (value) =>
    [...value].map((one) => `&#${one.codePointAt(0)}`).join(""),
  "in HTML within HTML": (value) => [...value].map((one) => `&amp;#${one.codePointAt(0)};`).join(""),
  "with zero-width spaces": (value) => [...value].join("\u200b"),
  "with soft hyphens": (value) => [...value].join("\u00ad"),
  "with joiners, percent-encoded": (value) => encodeURIComponent([...value].join("\u200d")),
  "with tags between its characters": (value) =>
    [...value].map((one) => `<b class=x>${escapes[one] ?? one}</b>`).join(""),
  "with line breaks of HTML": (value) => [...value].map((one) => escapes[one] ?? one).join("<wbr>"),
  decomposed: (value) => value.normalize("NFD"),
  "in reverse": (value) => [...value.trim()].reverse().join(""),
};
const hex = (number: number, length = 1) => number.toString(16).padStart(length, "0");
const bytesOf = (value: string, radix: number) => [...Buffer.from(value)].map((byte) => byte.toString(radix));

const values = fc
  .string({ unit: "grapheme-composite", minLength: 4, maxLength: 40 })
  .filter((value) => value.trim().length >= 4 && value.isWellFormed());

const made = new Map<string, Hider>();
/** The hider of one value. To make one takes milliseconds. */
function hiding(value: string): Hider {
  const hider = made.get(value) ?? createHider(new Map([["password", value]]));
  made.set(value, hider);
  return hider;
}
/** All kinds of writing are tried with the same values. */
const seed = newSeed();

describe("a value is hidden", () => {
  const all = Object.entries({ ...writings, ...rareWritings });
  test.each(all)("%s, and nothing around it", (_how, write) => {
    const value = `p\u00e5ss "w<o>rd" & 100%/\\'+#é🔑`;
    const hidden = hiding(value).text(`before (${write(value)}) after`);
    expect(hidden).toMatch(/^before \((\?a=)?\{\{secret:password\}\}z?\) after$/);
  });

  // In lower case, these have as many characters as if they were decomposed.
  test.each(all)("%s, with letters whose lower case is longer", (_how, write) => {
    const hidden = hiding("\u0130stanbul \u0130").text(`(${write("\u0130stanbul \u0130")})`);
    expect(hidden).toContain("{{secret:password}}");
  });

  test.each(all)("%s, whatever it is", (how, write) => {
    fc.assert(
      fc.property(values, (value) => {
        const hidden = hiding(value).text(`(${write(value)})`);
        expect(hidden).toContain("{{secret:password}}");
        expect(hidden.replace("{{secret:password}}", "")).not.toContain(value.trim());
      }),
      { seed, ...tries(how in writings ? 100 : 20) },
    );
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("in base 64 of a longer text, after %i other bytes", (before) => {
    for (const value of ["hunter2!", "hunter2-", "pässword", "1234", "abcde"]) {
      for (const after of [0, 1, 2, 3]) {
        const text = `${"a:b&c=d?".slice(-before)}${value}${"z".repeat(after)}`;
        for (const encoding of ["base64", "base64url"] as const) {
          const hidden = hiding(value).text(Buffer.from(text).toString(encoding));
          expect(hidden).toContain("{{secret:password}}");
          const rest = hidden
            .split("{{secret:password}}")
            .map((part) => Buffer.from(part, encoding).toString());
          expect(rest.join()).not.toContain(value.slice(1, -1));
        }
      }
    }
  });

  test("in base 64 of Latin-1, as btoa() makes it", () => {
    expect(hiding("pässwörd").text(btoa("x:pässwörd"))).toMatch(/^.{1,2}\{\{secret:password\}\}$/);
  });

  test.each([
    ["in decimal, as bytes are printed", (value: string) => String(new TextEncoder().encode(value))],
    ["in octal", (value: string) => bytesOf(value, 8).join(" ")],
  ])("%s, if it is long enough not to be a list of other numbers", (_, write) => {
    expect(hiding("hunter2-hunter").text(`[${write("hunter2-hunter")}]`)).toBe("[{{secret:password}}]");
    expect(hiding("0123").text(write("0123"))).toBe(write("0123"));
  });

  test("in capitals, as a style sheet may show it", () => {
    expect(hiding("Hunter-2-hunter").text("HUNTER-2-HUNTER!")).toBe("{{secret:password}}!");
  });
});

describe("a value that is encoded in several ways is hidden", () => {
  const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join("");
  const html = (text: string) => [...text].map((one) => `&#${one.codePointAt(0)};`).join("");
  const ways: [string, string, string][] = [
    ["in reverse, percent-encoded", "hunter-2é", percent([..."hunter-2é"].reverse().join(""))],
    ["percent-encoded, with percent signs of HTML", "hunter-2", percent("hunter-2").replaceAll("%", "&#37;")],
    [
      "percent-encoded, with percent signs of JSON",
      "hunter-2",
      percent("hunter-2").replaceAll("%", "\\u0025"),
    ],
    [
      "in HTML, in JSON",
      'hun"ter-2',
      JSON.stringify(html('hun"ter-2')).slice(1, -1).replaceAll("&", "\\u0026"),
    ],
    ["in JSON, in HTML", 'hun"ter-2', JSON.stringify('hun"ter-2').slice(1, -1).replaceAll('"', "&quot;")],
    ["in HTML, percent-encoded", "hun<ter>2", encodeURIComponent(html("hun<ter>2"))],
    ["in capitals that are not ASCII, percent-encoded", "straße-ñ", percent("STRASSE-Ñ")],
    ["in capitals that are not ASCII, in HTML", "pässwörd", html("PÄSSWÖRD")],
  ];
  test.each(ways)("%s", (_, value, written) => {
    expect(hiding(value).text(`(${written})`)).toBe("({{secret:password}})");
    expect([...hiding(value).namesIn(`(${written})`)]).toEqual(["password"]);
  });

  test("and texts that only look encoded stay what they are", () => {
    for (const text of [
      "100% of &c. and \\server\\share",
      "%zz %25 &amp;amp; &#0; %ff\\u00zz",
      `${"\\".repeat(100)}x`,
    ])
      expect(hiding("hunter-2").text(text)).toBe(text);
  });
});

test("of two values that begin alike the longer one is meant", () => {
  const hider = createHider(
    new Map([
      ["short", "hunter2"],
      ["long", "hunter2-hunter2"],
    ]),
  );
  expect(hider.text("hunter2 hunter2-hunter2")).toBe("{{secret:short}} {{secret:long}}");
});

test("other text stays what it is", () => {
  fc.assert(fc.property(fc.string(), (text) => hiding("hunter2-hunter2").text(text) === text));
});

test("a hostile page gets no long search out of it", () => {
  const value = "one two three four";
  for (const filler of [
    ..."\u200b<&\\",
    "<b>",
    "<b",
    "&amp;",
    "&shy;",
    "%E2%80%8B",
    "b25l",
    "6f",
    " ",
    "+",
    "%20",
    "&#32;",
    "\\n",
    "%25",
    "one ",
  ]) {
    const text = `one${filler.repeat(200_000)}`;
    expect(hiding(value).text(text)).toBe(text);
  }
});

test("every text of plain JSON is searched", () => {
  const place = { step: 1, texts: { a: "hunter2!" }, list: ["x", "hunter2", null, 3, true] };
  expect(hiding("hunter2").json(place)).toEqual({
    step: 1,
    texts: { a: "{{secret:password}}!" },
    list: ["x", "{{secret:password}}", null, 3, true],
  });
});

describe("an error", () => {
  const value = "correct-horse-battery";
  const search = new SecretSearch(new Map([["password", { value }]]));
  afterAll(() => search[Symbol.asyncDispose]());

  test("stays what it is, without the value in anything that would be logged", async () => {
    const cause = Object.assign(new TypeError(`fill("${value}")`), { log: [`typing ${value}`], name: value });
    const failure = new RunFailure("timeout", `${value} did not`, { cause, step: 3 });
    failure.evidence = { url: `http://x/?a=${value}`, title: value, screenshot: Buffer.from("picture") };
    cause.cause = failure;
    const hidden = await search.hideIn(failure);
    expect(hidden).toBe(failure);
    expect(hidden).toMatchObject({ code: "timeout", step: 3, message: "{{secret:password}} did not" });
    expect(hidden.evidence).toEqual({
      url: "http://x/?a={{secret:password}}",
      title: "{{secret:password}}",
      screenshot: Buffer.from("picture"),
    });
    expect([hidden.stack, cause.message, cause.stack, cause.name, ...cause.log].join()).not.toContain(value);
  });

  test("does not keep the beginning of a value either, where a message was cut short", async () => {
    const { message } = await search.hideIn(new Error(`3 elements fit: <p> ${value.slice(0, 11)}; <b>`));
    expect(message).toBe("3 elements fit: <p> {{secret:password}}; <b>");
  });
});
