import { describe, expect, test } from "@jest/globals";
import { type DataKind, dataKind, dataPage } from "../../../../functions/scraping/page/data-documents.ts";

test.each<[string, string | undefined, Record<string, string>?]>([
  ["application/json; charset=utf-8", "json"],
  ["application/ld+json", "json"],
  ["text/csv", "csv"],
  ["text/xml", "xml"],
  ["application/rss+xml", "xml"],
  ["text/plain", "text"],
  ["text/html", undefined],
  ["application/xhtml+xml", undefined],
  ["image/svg+xml", undefined],
  ["application/pdf", undefined],
  ["application/octet-stream", undefined],
  ["application/octet-stream", "csv", { "content-disposition": 'attachment; filename="list.CSV"' }],
  ["application/octet-stream", undefined, { "content-disposition": "attachment; filename=list.exe" }],
])("%s is read as %s", (type, kind, headers = {}) => {
  const url = kind === "csv" ? "https://a.example/list.exe" : "https://a.example/list";
  expect(dataKind(url, { "content-type": type, ...headers })).toBe(kind);
});

test("a download without a type is what its name says", () => {
  expect(dataKind("https://a.example/list.json?x=.csv", { "content-type": "application/octet-stream" })).toBe(
    "json",
  );
});

/** The body of the page that a document becomes. */
const bodyOf = (text: string | Buffer, kind: DataKind, type = ""): string =>
  /<body>(.*)<\/body>/s.exec(
    dataPage(Buffer.from(text as string), kind, { "content-type": type }).text,
  )?.[1] ?? "";

describe("json", () => {
  test("keys are elements, and lists as many of them", () => {
    expect(bodyOf('{"a":[1,[2,3]],"b c":{"1":true},"d":null,"e":[]}', "json")).toBe(
      '<json xmlns=""><a>1</a><a><item>2</item><item>3</item></a><b_c key="b c"><_1 key="1">true</_1></b_c><d></d></json>',
    );
  });

  test("no value becomes markup, and none makes the page invalid", () => {
    expect(bodyOf(JSON.stringify({ a: '</a>&"\u0000\u0007\ud800' }), "json")).toBe(
      '<json xmlns=""><a>&lt;/a&gt;&amp;&quot;\ufffd</a></json>',
    );
    expect(bodyOf('{"<x/>":1}', "json")).toBe('<json xmlns=""><_x__ key="&lt;x/&gt;">1</_x__></json>');
  });

  test("what is too deep is a text", () => {
    expect(bodyOf(`${"[".repeat(60)}1${"]".repeat(60)}`, "json")).toContain("<item>[[[");
  });
});

test.each([
  [
    "in the encoding of its content type",
    Buffer.from("\xe4;b\n1;2", "latin1"),
    "text/csv; charset=windows-1252",
  ],
  ["in UTF-16", Buffer.from("\ufeff\xe4;b\n1;2", "utf16le"), "text/csv"],
  ["in an unknown encoding", Buffer.from("\xe4;b\n1;2"), "text/csv; charset=none"],
  ["in an encoding that nothing states", Buffer.from("\xe4;b\n1;2", "latin1"), "text/csv"],
  ["that states its separator", Buffer.from("\ufeffsep=-\r\n\xe4-b\r\n1-2"), "text/csv"],
  ["with bars", Buffer.from("\xe4|b\n1|2"), "text/csv"],
])("csv %s", (_, bytes, type) => {
  expect(bodyOf(bytes, "csv", type)).toBe(
    "<pre><table><thead><tr><th>ä</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></pre>",
  );
});

test("a text in UTF-8 with a broken character stays in it", () => {
  expect(bodyOf(Buffer.concat([Buffer.from("ä"), Buffer.from([0xe4])]), "text")).toBe(
    "<ol><li>ä\ufffd</li></ol>",
  );
});

test.each([
  ['<?xml version="1.0"?>\n<!-- x --><a b="1"><c/></a>', '\n<!-- x --><a xmlns="" b="1"><c/></a>'],
  ['<!DOCTYPE a [<!ENTITY x "y">]><a/>', '<a xmlns=""/>'],
  ['<feed xmlns="http://www.w3.org/2005/Atom"/>', '<feed xmlns="http://www.w3.org/2005/Atom"/>'],
  ['<?xml-stylesheet href="a.xsl"?><a xmlns:b="c">x</a>', '<a xmlns="" xmlns:b="c">x</a>'],
  ["<a>b & c &amp; d\u000b<![CDATA[&<]]></a>", '<a xmlns="">b &amp; c &amp; d<![CDATA[&<]]></a>'],
])("the root of %j", (text, root) => {
  expect(bodyOf(text, "xml")).toBe(root);
});

test.each(["<a><b></b>", "<a><b></a></b>", "<a></a></b>", "<a><b c='</a>", "<a>1 < 2</a>"])(
  "%j is no XML",
  (text) => {
    expect(() => bodyOf(text, "xml")).toThrow("The document");
  },
);

test("a text is its lines, unless it is a page", () => {
  expect(bodyOf("a\r\n<b>", "text")).toBe("<ol><li>a</li><li>&lt;b&gt;</li></ol>");
  expect(dataPage(Buffer.from("\n<!DOCTYPE html><p>a"), "text")).toEqual({
    type: "text/html",
    text: "\n<!DOCTYPE html><p>a",
  });
  const strict = { "x-content-type-options": "nosniff" };
  expect(dataPage(Buffer.from("<!DOCTYPE html>"), "text", strict).type).toBe("application/xhtml+xml");
});
