import type { ListField, Step } from "../../../functions/contract/steps/steps.ts";
import { type Pages, SCRIPT, SITE, visit } from "../page.ts";

/* What a field finds in its row, and what it reads of that. */

const list = (selector: string, fields: ListField[], until?: string): Step => ({
  type: "get_list",
  selector,
  ...(until !== undefined && { until }),
  fields,
});

const council = [
  "<h2>North</h2><h3>Ann</h3><p>Member</p><p>Mail: <a href='mailto:ann@x.example'>ann</a></p>",
  "<h3>Ben</h3><p>Chair</p><hr>",
  "<h2>South</h2><h3>Cho</h3><p>Member</p><p>Mail: <a>cho</a></p><hr><p>Imprint <a>not a mail</a></p>",
].join("");

const options = "<option>New<option>Sent<option value=d>Done";
const order =
  "<tr class=r><td class=id>1</td><td><input class=qty value=0><input type=checkbox class=paid>" +
  `<select class=state>${options}</select><textarea class=note></textarea></td></tr>`;

export default {
  "whose selector is matched within the row": {
    html: `<ul class=all><li class=row><b class=t>One</b><ul><li><i>in one</i></li></ul></li><li class=row><b class=t>Two</b><i>in two</i></li></ul>${SCRIPT}`,
    steps: [
      visit(),
      list(".row", [
        { name: "inner", selector: "ul i" },
        { name: "own", selector: ".row .t" },
        { name: "outside", selector: ".all .t, ul b" },
        { name: "child", selector: "> i" },
        { name: "scoped", selector: ":scope > .t" },
        { name: "path", selector: "xpath=//ul//i" },
        { name: "grouped", selector: "xpath=(//i)[1]" },
        { name: "Playwright", selector: "ul i >> nth=0" },
      ]),
    ],
    rows: [
      { inner: "in one", own: "One", scoped: "One", path: "in one", grouped: "in one", Playwright: "in one" },
      { own: "Two", child: "in two", scoped: "Two", grouped: "in two" },
    ],
    warnings: [{ code: "field_empty", field: "outside" }],
  },
  "that are texts and attributes by XPath": {
    html: "<div class=flat><a href=/1>Flat</a><br><b>Area:</b> 10  m²<br><b>Rent:</b> €100<br><svg><a xlink:href=/2></a></svg><i>€<!-- -->10<!-- -->.50<br>a day</i></div>",
    steps: [
      visit(),
      list(".flat", [
        { name: "area", selector: "xpath=b[.='Area:']/following-sibling::text()[1]" },
        { name: "url", selector: "xpath=.//a/@href" },
        { name: "drawn", selector: "svg a", attribute: "href" },
        { name: "apart", selector: "xpath=i/text()" },
        { name: "part", selector: "xpath=i/text()[2]" },
        { name: "all", selector: "xpath=i/text()", all: true },
        { name: "own", selector: "i", text: "own_text" },
      ]),
    ],
    rows: [
      {
        area: "10 m²",
        url: `${SITE}/1`,
        drawn: `${SITE}/2`,
        apart: "€10.50",
        part: "10",
        all: "€10.50; a day",
        own: "€10.50 a day",
      },
    ],
  },
  "that several elements have": {
    html: `<div class=row><i>a</i><i> </i><i>b</i><a href=/1></a><a href=/2></a></div><div class=row><i>c</i></div>`,
    steps: [
      visit(),
      { type: "get_text", field_name: "page", selector: "i", all: true, separator: "|" },
      list(".row", [
        { name: "all", selector: "i", all: true },
        { name: "joined", selector: "i", all: true, separator: "" },
        { name: "urls", selector: "a", attribute: "href", all: true, separator: " " },
        { name: "first", selector: "i", all: false },
      ]),
    ],
    rows: [
      { page: "a|b|c", all: "a; b", joined: "ab", urls: `${SITE}/1 ${SITE}/2`, first: "a" },
      { page: "a|b|c", all: "c", joined: "c", first: "c" },
    ],
  },
  "of which the first is hidden and another one is shown": {
    html: `<title>Title</title><style>@media (min-width: 600px) { .small { display: none } }</style><svg><title>Icon</title></svg>
      <div class=row><i class=small>1 €</i><i>2 €</i><b hidden>a</b><b hidden>b</b><u class=small>3</u><u>3</u><s>4</s><s hidden>5</s></div>
      <div class=row><i class=small>6 €</i><i>7 €</i><b hidden>c</b><b hidden>d</b><u class=small>8</u><u>8</u><s>9</s><s hidden>0</s></div>`,
    steps: [
      visit(),
      { type: "get_text", field_name: "page", selector: "i" },
      { type: "get_text", field_name: "named", selector: "title" },
      list(".row", [
        { name: "small", selector: "i" },
        { name: "hidden", selector: "b" },
        { name: "same", selector: "u" },
        { name: "shown", selector: "s" },
      ]),
    ],
    rows: [
      { page: "1 €", named: "Title", small: "1 €", hidden: "a", same: "3", shown: "4" },
      { page: "1 €", named: "Title", small: "6 €", hidden: "c", same: "8", shown: "9" },
    ],
    warnings: [
      { code: "field_ambiguous", step: 1, field: "page", message: "the first one is hidden" },
      { code: "field_ambiguous", step: 3, field: "small", count: 2, message: "the first one is hidden" },
    ],
  },
  "that only some rows have several of": {
    html: `<div class=row><i>a</i><i>b</i><b>1</b><b>2</b><a href=/1></a><a href=/1>x</a><u>1</u><u>2</u></div>
      <div class=row><i>c</i><b>3</b><b>4</b><a href=/2></a><u>3</u></div><div class=row><b>5</b><b>5</b></div>`,
    steps: [
      visit(),
      list(".row", [
        { name: "ambiguous", selector: "i" },
        { name: "always two", selector: "b" },
        { name: "the same", selector: "a", attribute: "href" },
        { name: "first", selector: "u", all: false },
      ]),
    ],
    rows: [
      { ambiguous: "a", "always two": "1", "the same": `${SITE}/1`, first: "1" },
      { ambiguous: "c", "always two": "3", "the same": `${SITE}/2`, first: "3" },
      { "always two": "5" },
    ],
    warnings: [{ code: "field_ambiguous", field: "ambiguous", count: 1, message: '"all": true' }],
  },
  "of a row without an element of its own": {
    html: council,
    steps: [
      visit(),
      list("h3", [
        { name: "name" },
        { name: "ward", selector: "xpath=preceding-sibling::h2[1]" },
        { name: "mail", selector: "xpath=following-sibling::p/a", all: false },
      ]),
    ],
    rows: [
      { name: "Ann", ward: "North", mail: "ann" },
      { name: "Ben", ward: "North" },
      { name: "Cho", ward: "South", mail: "cho" },
    ],
    variants: {
      "by siblings": {},
      "up to the next row": {
        steps: [
          visit(),
          list(
            "h3",
            [
              { name: "name" },
              { name: "role", selector: "p", all: false },
              { name: "mail", selector: "p a" },
            ],
            "h2, hr",
          ),
        ],
        rows: [
          { name: "Ann", role: "Member", mail: "ann" },
          { name: "Ben", role: "Chair" },
          { name: "Cho", role: "Member", mail: "cho" },
        ],
      },
      "up to the next row, by Playwright": {
        steps: [
          visit(),
          list("h3:visible", [{ name: "name" }, { name: "link", selector: "p a", all: true }], "hr:visible"),
        ],
        rows: [{ name: "Ann", link: "ann" }, { name: "Ben" }, { name: "Cho", link: "cho" }],
      },
      "terms and their definitions": {
        html: "<dl><dt>Size<dd>10 cm<dd>4 in<dt>Weight<dt>Colour<dd>red</dl>",
        steps: [
          visit(),
          list("dt", [{ name: "term" }, { name: "value", selector: "dd", all: true }], "dt"),
          list("dt", [{ name: "term" }, { name: "value", selector: "+ dd" }]),
        ],
        rows: [
          { term: "Size", value: "10 cm; 4 in" },
          { term: "Weight" },
          { term: "Colour", value: "red" },
          { term: "Size", value: "10 cm" },
          { term: "Weight" },
          { term: "Colour", value: "red" },
        ],
      },
    },
  },
  "of form controls": {
    html: `<table>${order.repeat(2)}</table><script>document.querySelectorAll(".r").forEach((row, n) => {
      row.querySelector(".qty").value = 10 + n;
      row.querySelector(".paid").checked = n === 0;
      row.querySelector(".state").selectedIndex = 2 - n;
      row.querySelector(".note").value = "note " + n;
    })</script>`,
    steps: [
      visit(),
      list(".r", [
        { name: "qty", selector: ".qty", attribute: "value" },
        { name: "paid", selector: ".paid", attribute: "checked" },
        { name: "state", selector: ".state" },
        { name: "code", selector: ".state", attribute: "value" },
        { name: "note", selector: ".note", text: "value" },
      ]),
    ],
    rows: [
      { qty: "10", paid: "true", state: "Done", code: "d", note: "note 0" },
      { qty: "11", state: "Sent", code: "Sent", note: "note 1" },
    ],
  },
  "of images": {
    html: `<div class=row><img srcset="/s.png 300w, /a,b.png 1200w,/m.png 600w"><i style="background: url(/over.png), url('/b.png')"></i></div>
      <div class=row><img srcset="/one.png, /two.png 2x"><i class=b></i>
        <picture><source srcset="data:,"><source srcset="/d.png, /e.png 2x"><img class=in src="data:,"></picture></div><style>.b { background-image: url(/c.png) }</style>`,
    steps: [
      visit(),
      list(".row", [
        { name: "image", selector: "img", attribute: "srcset" },
        { name: "background", selector: "i", attribute: "background-image" },
        { name: "pictured", selector: ".in", attribute: "src" },
      ]),
    ],
    rows: [
      { image: `${SITE}/a,b.png`, background: `${SITE}/b.png` },
      { image: `${SITE}/two.png`, background: `${SITE}/c.png`, pictured: `${SITE}/e.png` },
    ],
  },
} satisfies Pages;
