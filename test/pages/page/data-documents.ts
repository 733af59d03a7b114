import { gzipSync } from "node:zlib";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cards, lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";

/* Documents that are no pages, but have data: each is a page whose elements have the names of its data. */

const send =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(200, { "content-type": type, ...headers }).end(body);
const list = (
  selector: string,
  ...fields: [name: string, selector?: string, attribute?: string][]
): Step => ({
  type: "get_list",
  selector,
  fields: fields.map(([name, selector, attribute]) => ({
    name,
    ...(selector !== undefined && { selector }),
    ...(attribute !== undefined && { attribute }),
  })),
});
const document = (handler: Handler, step: Step, rows: Page["rows"] & object): Page => ({
  routes: { "/": handler },
  steps: [visit(), step],
  rows,
  loads: 1,
});

const GOODS = [
  { title: "Lamp & <shade>", price: 7.5, tags: ["a", "b"], maker: { name: "Ö" } },
  { title: 'Chair "x"', price: 10, tags: [], maker: { name: "P" } },
];
const rss = `<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE rss [<!ENTITY x "y">]>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title><link>http://a.example/</link>
<item><dc:title>1</dc:title><title>One &#38; only</title><link>http://a.example/1</link><dc:creator>J\xfcrgen</dc:creator><description><![CDATA[A <b>bold</b> word]]></description></item>
<item><title>Two</title><link>http://a.example/2</link><dc:creator>K</dc:creator><description>plain</description></item></channel></rss>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><link href="/1"/></entry>
<entry><title>Two</title><link href="/2"/></entry></feed>`;

/** A link to data, and what is read there. */
const clicked = (link: string, type: string, body: string, step: Step, headers = {}): Page => ({
  routes: { "/": link, "/data": send(type, body, headers) },
  steps: [visit(), { type: "click", selector: "a" }, step],
  loads: 2,
});
const CSV = "name,price\nLamp,5\nChair,7\n";
const csvList = list("tbody tr", ["name", "td:first-child"], ["price", "td:nth-child(2)"]);
const csvRows = [
  { name: "Lamp", price: "5" },
  { name: "Chair", price: "7" },
];

const LINES = '{"name":"Lamp"}\r\n\r\n{"name":"Ö"}';
const LIST = '[{"name":"Lamp"},{"name":"Ö"}]';
const jsonList: Step = {
  type: "get_list",
  json: { path: "$[*]" },
  fields: [{ name: "name", path: "$.name" }],
};
/** A document that is a list of JSON in some form. */
const inForm = (type: string, body: string | Buffer, headers = {}): Page => ({
  ...document(send(type, body, headers), jsonList, [{ name: "Lamp" }, { name: "Ö" }]),
});
/** A document that is not what it says. */
const none = (type: string, body: string | Buffer, headers = {}): Page => ({
  routes: { "/": send(type, body, headers) },
  failure: { code: "not_html", step: 0, message: "if they are whole and have at most 16 MB" },
});
const named = (name: string) => ({ "content-disposition": `attachment; filename=${name}` });

/** A form that is sent by POST, and what its answer is. */
const posted = (form: string, type: string, body: string, step: Step, headers = {}): Page => ({
  routes: () => {
    let count = 0;
    return {
      "/": form.startsWith("<") ? form : `<form action="/data" ${form}</form>`,
      "/data": ({ method }, response) => {
        count += 1;
        const isFirst = method === "POST" && count === 1;
        response.writeHead(isFirst ? 200 : 405, { "content-type": type, ...headers }).end(body);
      },
    };
  },
  steps: [visit(), { type: "click", selector: "button" }, step],
  loads: 2,
});

export default {
  "the answer to a form that is sent once, by POST": {
    variants: {
      "is JSON": {
        ...posted(
          "method=post><button>Search</button>",
          "application/json",
          JSON.stringify([{ name: "Lamp" }]),
          list("item", ["name", "name"]),
        ),
        rows: [{ name: "Lamp" }],
      },
      "is a CSV file, which another button of the form gets": {
        ...posted("><input name=q><button formmethod=POST>Export</button>", "text/csv", CSV, csvList, {
          "content-disposition": "attachment; filename=goods.csv",
        }),
        rows: csvRows,
      },
      "is JSON, by a form that a script makes and removes": {
        ...posted(
          `<button>Search</button><script>document.querySelector("button").onclick = () => {
            const form = Object.assign(document.createElement("form"), { method: "post", action: "/data" });
            document.body.append(form); form.submit(); form.remove(); };</script>`,
          "application/json",
          JSON.stringify([{ name: "Lamp" }]),
          list("item", ["name", "name"]),
        ),
        rows: [{ name: "Lamp" }],
      },
    },
  },
  "reached by a click": {
    ...clicked('<a href="/data">Data</a>', "text/csv", CSV, csvList),
    rows: csvRows,
    variants: {
      "as a file": clicked('<a href="/data">Data</a>', "text/csv", CSV, csvList, {
        "content-disposition": "attachment; filename=goods.csv",
      }),
      "in a new tab": {
        ...clicked(
          '<a href="/data" target=_blank>Data</a>',
          "application/json",
          JSON.stringify([{ name: "Lamp" }]),
          list("item", ["name", "name"]),
        ),
        rows: [{ name: "Lamp" }],
      },
    },
  },
  json: document(
    send("application/json", JSON.stringify({ count: 2, items: GOODS, "odd key": [1] })),
    list(
      "items",
      ["title", "title"],
      ["price", "price"],
      ["tags", "tags:last-of-type"],
      ["maker", "maker name"],
    ),
    [
      { title: "Lamp & <shade>", price: "7.5", tags: "b", maker: "Ö" },
      { title: 'Chair "x"', price: "10", maker: "P" },
    ],
  ),
  "json that is a list": document(
    send("application/problem+json; charset=utf-8", JSON.stringify(["a", "b", { "first name": "c" }])),
    list("json > item", ["text"], ["name", "[key='first name']"]),
    [{ text: "a" }, { text: "b" }, { text: "c", name: "c" }],
  ),
  "pages of json": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const items = page > 3 ? [] : [{ name: `Lamp ${page}` }];
        send("application/json", JSON.stringify({ items }))(request, response);
      },
    },
    steps: [list("items", ["name", "name"])],
    pagination: { type: "url_template", url: `${SITE}/?page={page}` },
    rows: lamps(1, 3),
  },
  "a csv file to download": document(
    send("text/csv; charset=utf-8", '\ufefftitle;price\r\n"A; b";1\r\nC;2\r\n', {
      "content-disposition": "attachment; filename=list.csv",
    }),
    list("tbody tr", ["title", "td:nth-child(1)"], ["price", "td:nth-child(2)"]),
    [
      { title: "A; b", price: "1" },
      { title: "C", price: "2" },
    ],
  ),
  "tabs, line breaks and inches": document(
    send("text/tab-separated-values", 'title\tprice\n"A\nB"\t1\n5" C\t2\n'),
    list("tbody tr", ["title", "td:nth-child(1)"], ["price", "td:nth-child(2)"]),
    [
      { title: "A\nB", price: "1" },
      { title: '5" C', price: "2" },
    ],
  ),
  rss: document(
    send("application/rss+xml", Buffer.from(rss, "latin1")),
    list("item", ["title", "title"], ["link", "link"], ["by", "creator"], ["about", "description"]),
    [
      { title: "One & only", link: "http://a.example/1", by: "Jürgen", about: "A <b>bold</b> word" },
      { title: "Two", link: "http://a.example/2", by: "K", about: "plain" },
    ],
  ),
  "xml with scripts, styles and frames": document(
    send(
      "application/rss+xml",
      `<rss><item>One</item><x xmlns="http://www.w3.org/1999/xhtml"><script>document.querySelector("item").remove()</script>
        <img src="/x.png" onerror="document.querySelector('item').remove()"/><style>item { display: none }</style>
        <iframe srcdoc="&lt;script&gt;parent.document.querySelector('item').remove()&lt;/script&gt;"></iframe></x></rss>`,
    ),
    list("item", ["title"]),
    [{ title: "One" }],
  ),
  atom: document(
    send("application/atom+xml", atom),
    list("entry", ["title", "title"], ["link", "link", "href"]),
    [
      { title: "One", link: `${SITE}/1` },
      { title: "Two", link: `${SITE}/2` },
    ],
  ),
  "a text": document(send("text/plain", "one\r\ntwo <b>\nthree"), list("li", ["line"]), [
    { line: "one" },
    { line: "two <b>" },
    { line: "three" },
  ]),
  "a page that says that it is a text": document(
    send("text/plain", `<!doctype html><ul>${cards(1, 2)}</ul>`),
    list(".card", ["name"]),
    lamps(1, 2),
  ),
  "xml that breaks off": {
    routes: { "/": send("application/rss+xml", "<rss><item>One</item><item>Two</item>") },
    steps: [visit(), list("item", ["title"])],
    failure: { code: "not_html", step: 0 },
  },
  "json in another form": {
    variants: {
      lines: inForm("application/x-ndjson", LINES),
      "lines as json": inForm("application/json", LINES),
      "lines as a text": inForm("text/plain", LINES),
      "a file of lines": inForm("application/octet-stream", LINES, named("a.jsonl")),
      "after a guard": inForm("application/json", `)]}',\n${LIST}`),
      "after {}&&": inForm("application/json", `{}&&${LIST}`),
      "in a call": inForm("text/javascript", `/*O_o*/\ngoogle.visualization.Query.setResponse(${LIST});`),
      "that says that it is a text": inForm("text/plain", LIST),
      "that says that it is a page": { ...inForm("text/html", LIST), engines: ["browser", "auto"] },
      compressed: inForm("application/gzip", gzipSync(LIST), named("a.json.gz")),
      "in UTF-16 without a mark": inForm("application/json", Buffer.from(LIST, "utf16le")),
    },
  },
  "lines of which there is one": document(
    send("application/jsonl", '{"name":"Lamp"}\n'),
    list("item", ["name", "name"]),
    [{ name: "Lamp" }],
  ),
  "json that says that it is a page, after a page": {
    ...clicked('<a href="/data">Data</a>', "text/html", LIST, jsonList),
    rows: [{ name: "Lamp" }, { name: "Ö" }],
  },
  "a compressed sitemap": document(
    send(
      "application/x-gzip",
      gzipSync("<urlset><url><loc>http://a.example/</loc></url></urlset>"),
      named("s.xml.gz"),
    ),
    list("url", ["address", "loc"]),
    [{ address: "http://a.example/" }],
  ),
  "a csv file that says that it is a text": document(
    send("text/plain", CSV, named("goods.csv")),
    csvList,
    csvRows,
  ),
  "a document that is not what it says": {
    variants: {
      json: none("application/json", "{not json"),
      "lines that break off": none("application/x-ndjson", LINES.slice(0, -2)),
      "a call that breaks off": none("text/javascript", 'cb([{"name":"x=[1]"},{"na'),
      "a page as a csv file": none("text/csv", "<!doctype html><p>Sign in"),
      "too large when it is decompressed": none(
        "application/gzip",
        gzipSync(Buffer.alloc(2 ** 25, " ")),
        named("a.txt.gz"),
      ),
      "compressed, and breaks off": none(
        "application/gzip",
        gzipSync(CSV).subarray(0, -9),
        named("a.csv.gz"),
      ),
    },
  },
} satisfies Pages;
