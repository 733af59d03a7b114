import { type Pages, pageOf, visit } from "../page.ts";

/* What fields read is the same where pages are not opened. */

const PAGES = 12;
const range = Array.from({ length: PAGES }, (_, index) => index + 1);
const next = (n: number) => (n < PAGES ? `<a href="/?page=${n + 1}">Next</a>` : "");
const table = (n: number) =>
  `<table><tr><th>Name<th>Sizes<th>Price</tr><tr><td rowspan=2>Lamp ${n} <b>new</b><td><i>S</i> <i>M</i><td>€${n}</tr>
  <tr><td><i>L</i><td>€${n}0</tr></table>${next(n)}`;
const rows = range.flatMap((n) => [
  { name: `Lamp ${n}`, sizes: "S, M", price: `€${n}` },
  { name: `Lamp ${n}`, sizes: "L", price: `€${n}0` },
]);
const pages = (html: (n: number) => string): Pages[string] => ({
  routes: {
    "/": (request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><title>Lamps</title>${html(pageOf(request))}`);
    },
  },
  pagination: { type: "next_button", field_name: "Next" },
  engines: ["browser", "http"],
});

export default {
  "columns, several values and own texts": {
    ...pages(table),
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "tr",
        fields: [
          { name: "name", column: "Name", text: "own_text" },
          { name: "sizes", column: "Sizes", selector: "i", all: true, separator: ", " },
          { name: "price", column: "Price" },
        ],
      },
    ],
    rows,
  },
  "rows up to the next one": {
    ...pages((n) => `<dl><dt>Size ${n}<dd>10 cm<dd>4 in<dt>Weight</dl>${next(n)}`),
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "dt",
        until: "dt",
        fields: [{ name: "term" }, { name: "value", selector: "dd", all: true }],
      },
    ],
    rows: range.flatMap((n) => [{ term: `Size ${n}`, value: "10 cm; 4 in" }, { term: "Weight" }]),
  },
  "texts that an indent moves off the page, and which only the browser knows": {
    ...pages(
      (n) =>
        `<style>.off { text-indent: -9999px } .far { text-indent: -99em }</style>
        <ul><li>${n % 5 > 0 ? "" : "<div class=off>Sale</div>"}<div>Lamp ${n}</div><li><div>${n % 5 > 0 ? "" : "<div class=far>New</div>"}<div>Shade ${n}</div></div></ul>${next(n)}`,
    ),
    steps: [visit(), { type: "get_list", selector: "li", fields: [{ name: "name" }] }],
    engines: ["browser", "auto"],
    rows: range.flatMap((n) => [{ name: `Lamp ${n}` }, { name: `Shade ${n}` }]),
  },
  "columns of a table with cells that only the browser knows not to be displayed": {
    ...pages(
      (n) =>
        `<style>.off { display: none }</style><table><tr><th>Name<th>Price</tr><tr>${n % 5 > 0 ? "" : "<td class=off>17"}<td>Lamp ${n}<td>€${n}</table>${next(n)}`,
    ),
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "price", column: "Price" },
        ],
      },
    ],
    engines: ["browser", "auto"],
    rows: range.map((n) => ({ name: `Lamp ${n}`, price: `€${n}` })),
  },
} satisfies Pages;
