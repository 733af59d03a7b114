import { describe, expect, test } from "@jest/globals";
import type { HtmlRequest } from "../../../../functions/scraping/page-script/http/parse-html.ts";
import { startHtmlReader } from "./html-reader.ts";

/* What the HTML of a page says, if it says something for certain, is what a browser shows. */

const { site, readEach, readMessy } = await startHtmlReader();

const withCells = (body: string, css = "", head = "") =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<style>${css}</style></head><body>${body}</body></html>`;

/** Texts that the browser's layout decides, with a style sheet. */
const byLayout: Record<string, [html: string, css?: string]> = {
  "uppercase around": ["<div class=upper><p data-cell>Lamp</p></div>", ".upper{text-transform:uppercase}"],
  "a hidden part": ["<p data-cell>Lamp <i class=part>1</i></p>", ".part{display:none}"],
  "hidden rows": ["<p>x</p><p data-cell>Lamp</p>", "p:nth-child(2){visibility:hidden}"],
  "hidden for a medium": ["<p data-cell>Lamp</p>", "@media (min-width:1px){p{visibility:hidden}}"],
  "a selector that negates": ["<p data-cell>Lamp</p>", "p:not(:hover){text-transform:uppercase}"],
  "text before an element": ["<p data-cell><i>Lamp</i> <i>1</i></p>", "i::before{content:'No. '}"],
  "white space that is kept": ["<p data-cell>Lamp\n  1</p>", "p{white-space:pre}"],
  "an inline style": ["<p data-cell><i style='text-transform:uppercase'>Lamp</i></p>"],
  "a hidden attribute": ["<p data-cell>Lamp <i hidden>1</i></p>"],
  blocks: ["<span data-cell><p>Lamp</p><div>1</div></span>"],
  "a table": ["<div data-cell><table><tr><td>Lamp<td>1</table></div>"],
  "blocks by a style": ["<p data-cell><i>Lamp</i><b>1</b></p>", "i{display:block}"],
  "floating parts": ["<p data-cell><i>Lamp</i><b>1</b></p>", "i{float:left}"],
  "soft hyphens": ["<p data-cell>La&shy;mp</p>"],
  "marks of direction": ["<p data-cell>\u200fLamp\u200e <bdo dir=rtl>abc</bdo></p>"],
  "closed details": ["<details><summary>S</summary><span data-cell>Lamp</span></details>"],
  noscript: ["<p data-cell>Lamp <noscript>no</noscript></p>"],
  "a form control": ["<p data-cell>Lamp <input value=1><select><option>a</select></p>"],
  "an image": ["<p data-cell>Lamp <img alt=x> 1</p>"],
  svg: ["<svg><text data-cell>1</text></svg>"],
  "an unknown element": ["<p data-cell>Lamp <x-name>1</x-name></p>"],
};
test.each(Object.entries(byLayout))("a text with %s", async (_, [html, css]) => {
  const [told] = await readEach(withCells(html, css), ["[data-cell]"]);
  expect(told?.answer).toMatchObject({ browserRequired: expect.any(String) });
});

test("a text of several lines", async () => {
  const [told] = await readEach(withCells("<p data-cell>Lamp<br>1</p>"), ["[data-cell]"]);
  expect(told).toMatchObject({ answer: { cells: [["Lamp\n1"]] }, shown: "Lamp\n1" });
});

const cell = "<p data-cell>Lamp</p>";
test.each([
  ["it does not state its encoding", withCells(cell).replace('<meta charset="utf-8">', "")],
  [
    "it has a noscript element in an unusual place",
    withCells(`<!-- <noscript> -->${cell}<!-- </noscript> -->`),
  ],
  ["it has an element <meta> that decides", withCells(cell, "", "<meta http-equiv=refresh content=9999>")],
  ["it has an element <meta> that decides", withCells(cell, "", "<meta name=referrer content=no-referrer>")],
  [
    "it has an element <template> that decides",
    withCells(`<div data-cell><template shadowrootmode=open><slot></slot>!</template>Lamp</div>`),
  ],
  ["its style sheets can't be read", withCells(cell, '@import "http://127.0.0.1:1/other.css";')],
])("%s", async (message, html) => {
  const [told] = await readEach(html, ["[data-cell]"]);
  expect(told?.answer).toMatchObject({ browserRequired: expect.stringContaining(message) });
});

describe("where the control of a list leads", () => {
  const next = "Next";
  const link = (attributes = "", content = next) => `<a href="/page?page=2" ${attributes}>${content}</a>`;
  const led = "/page?page=2";
  test.each<[string, string, string | null, HtmlRequest["control"]?]>([
    ["a part of its name", link("", "Next »"), led],
    ["its label", link("aria-label=next", "›"), led],
    ["its title", link("title=Next", "<i></i>"), led],
    ["two links to the same page", `${link()} ${link("", "next")}`, led],
    ["another name", link("", "Nextra"), null],
    ["links to different pages", `${link()} <a href="/other">Next</a>`, null],
    ["a link and a button", `${link()}<button>Next</button>`, null],
    ["a hidden link", link("style='display:none'"), null],
    ["a disabled link", link("aria-disabled=true"), null],
    ["a link in a disabled item", `<ul><li class="is-disabled">${link()}</ul>`, null],
    ["a download", link("download"), null],
    ["a link that hides where from", link("rel=noreferrer"), null],
    ["another site", link().replace("/page", "http://other.example/page"), null],
    ["its own page", link().replace("?page=2", ""), null],
    ["a fragment", link().replace("?page=2", "#2"), null],
    ["a selector", link("class=on", "x"), led, { selector: "css=.on" }],
    ["a link in the head", "", led, { selector: "link[rel=next]" }],
  ])("%s", async (_, html, target, control = { name: next }) => {
    const page = withCells(`${cell}${html}`, "", `<link rel=next href="${led}">`);
    const [told] = await readEach(page, ["[data-cell]"], { control });
    expect(told?.answer).toMatchObject({ target: target && site.url(target) });
  });

  test("a link in a row is no control", async () => {
    const [told] = await readEach(withCells(`<p data-cell>Lamp ${link()}</p>`), ["[data-cell]"], {
      control: { name: next },
    });
    expect(told?.answer).toMatchObject({ target: null });
  });
});

test.each([1, 15])("texts of the messy page %i", async (seed) => {
  const { certain, count } = await readMessy(seed, 6);
  expect(certain.map(({ cells }) => cells)).toEqual(certain.map(({ shown }) => [[shown]]));
  expect(certain.length).toBeGreaterThan(count / 10);
});
