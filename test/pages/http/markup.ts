import assert from "node:assert/strict";
import { type Pages, SITE, visit } from "../page.ts";
import {
  listed,
  listStep,
  notByHttp,
  numbered,
  opened,
  plainPage,
  rowsOf,
  withScript,
} from "../parts/numbered.ts";

/* What the HTML of a list's pages says, and when only the browser knows what a page shows. */

/** The parts of a row that are read by HTTP, and what they say. */
const parts: [
  html: string,
  field: { attribute?: string; selector?: string },
  shown: (n: number) => string,
][] = [
  ["A &amp; B &lt;NUMBER&gt; &eacute;&#8364;&nbsp;x", {}, (n) => `A & B <${n}> é€\u00a0x`],
  ["\n  Lamp\t\n  NUMBER  <b> x </b>\r\n", {}, (n) => `Lamp ${n} x`],
  ["Lamp<!-- not NUMBER --> NUMBER", {}, (n) => `Lamp ${n}`],
  ["<b>Lamp</b><i> no. <u>NUMBER</u></i>", {}, (n) => `Lamp no. ${n}`],
  ["<b><i>Lamp</b> NUMBER</i>", {}, (n) => `Lamp ${n}`],
  ["<i title='a  b'>x</i>", { selector: "i", attribute: "title" }, () => "a  b"],
  ["<i data-x=NUMBER>x</i>", { selector: "i", attribute: "data-x" }, (n) => `${n}`],
  ["<a href='item/NUMBER'>x</a>", { selector: "a", attribute: "href" }, (n) => `${SITE}/shop/item/${n}`],
  ["<a href='?item=NUMBER'>x</a>", { selector: "a", attribute: "href" }, (n) => `${SITE}/shop/?item=${n}`],
  [
    "<a href=' /p/ä b?q=ü&copy;=NUMBER#'>x</a>",
    { selector: "a", attribute: "href" },
    (n) => `${SITE}/p/%C3%A4%20b?q=%C3%BC%C2%A9=${n}#`,
  ],
  ["<a href='http://['>x</a>", { selector: "a", attribute: "href" }, () => "http://["],
];
const manyParts = parts.map(([html], part) => `<div class=part${part}>${html}</div>`).join("");
const certain = {
  css: ".advert{display:none}.advert:hover{display:block} li{color:red;display:flex}.name:hover{color:blue}a::selection{color:red}",
  head: '<base href="/shop/"><noscript><img src=/pixel><p>No</noscript><script type="application/ld+json">{"sku":"1"}</script>',
};

/** Four pages that only the browser can read. */
const inBrowser = ({ reason, ...page }: Parameters<typeof numbered>[0] & { reason: string }) =>
  numbered({ pages: 4, rows: listed(1, 4), warnings: [notByHttp(reason)], ...page });

export default {
  "markup that says for certain what a page shows": numbered({
    css: certain.css,
    html: (page) =>
      plainPage({
        ...page,
        head: page.head + certain.head,
        // Elements without their ends.
        rows: rowsOf(page.number, (n) => `${n}`).replace(
          /<li class="card">.*?<span class="name">(\d+).*?<\/li>/g,
          (_, n) => `<li class=card>${manyParts.replaceAll("NUMBER", n)}`,
        ),
        next: `<noscript><div></noscript>${page.next}`,
      }),
    steps: [
      visit("/list"),
      {
        ...listStep,
        fields: parts.map(([, { selector, attribute }], part) => ({
          name: `part${part}`,
          selector: [`.part${part}`, selector].filter(Boolean).join(" "),
          ...(attribute && { attribute }),
        })),
      },
    ],
    rows: Array.from({ length: 27 }, (_, index) =>
      Object.fromEntries(parts.map(([, , shown], part) => [`part${part}`, shown(index + 1)])),
    ),
    check: (_, site) => assert.equal(opened(site), 3),
  }),
  "no document type, and a table without its body": numbered({
    html: (page) =>
      plainPage(page)
        .replace("<!doctype html>", "")
        .replace(
          /<ul>.*<\/ul>/s,
          `<table>${[1, 2, 3].map((n) => `<tr class=card><td class=name>Lamp ${page.number}-${n}`).join("")}</table>`,
        ),
    rows: Array.from({ length: 27 }, (_, index) => ({
      name: `Lamp ${Math.floor(index / 3) + 1}-${(index % 3) + 1}`,
    })),
    steps: [visit("/list"), { ...listStep, fields: [listStep.fields[0]] }],
    check: (_, site) => assert.equal(opened(site), 3),
  }),
  "only the browser knows what a page shows": {
    variants: {
      "a style": inBrowser({
        css: ".name{text-transform:uppercase}",
        rows: listed(1, 4, (n) => `LAMP ${n}`),
        reason: "/list: the text of an element <span> depends on its layout",
      }),
      "a script that removes, adds, sorts and rewrites rows, at once and later": inBrowser({
        html: withScript(`const list = document.querySelector("ul");
          list.append(...[...list.children].reverse());
          list.lastChild.remove();
          list.insertAdjacentHTML("beforeend", "<li class=card><a href=/x><span class=name>More</span></a></li>");
          setTimeout(() => { for (const at of document.querySelectorAll(".card a")) at.href += "?late"; }, 2_000);`),
        rows: [1, 2, 3, 4].flatMap((page) => [
          { name: `Lamp ${page * 3}`, url: `${SITE}/p/${page * 3}?late` },
          { name: `Lamp ${page * 3 - 1}`, url: `${SITE}/p/${page * 3 - 1}?late` },
          { name: "More", url: `${SITE}/x?late` },
        ]),
        reason: "/list: the browser shows other rows",
      }),
      "a script that loads later pages' rows": inBrowser({
        html: (page) =>
          plainPage({ ...page, rows: "" }).replace(
            "</body>",
            () =>
              `<script>document.querySelector("ul").innerHTML = ${JSON.stringify(page.rows)}</script></body>`,
          ),
        reason: "/list: its HTML has no rows",
      }),
      "the selector": inBrowser({
        steps: [visit("/list"), { ...listStep, selector: ".card:visible" }],
        reason: "the selector .card:visible",
      }),
      "the pagination": inBrowser({
        pagination: { type: "infinite_scroll" },
        rows: listed(1, 1),
        reason: "only used for a next_button",
      }),
    },
  },
  "one page only": numbered({ pagination: { type: "none" }, rows: listed(1, 1) }),
} satisfies Pages;
