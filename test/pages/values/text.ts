import type { ListField } from "../../../functions/contract/steps/steps.ts";
import { type Pages, SCRIPT, visit } from "../page.ts";

/* What the text of an element is: docs/scrapers.md defines it. */

/** A list with one field per row, as a page with a script and as one without. */
const texts = (rows: readonly (readonly [html: string, text: string])[], head = ""): Pages[string] => {
  const html = `${head}<ul>${rows.map(([part]) => `<li><span class=v>${part}</span></li>`).join("")}</ul>`;
  return {
    steps: [
      visit(),
      { type: "get_list", selector: "li", fields: [{ name: "value", selector: ".v" }], timeout_ms: 1_000 },
    ],
    rows: rows.map(([, value]) => ({ value })),
    variants: { "": { html }, "with a script": { html: SCRIPT + html } },
  };
};

const HIDDEN =
  ".sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}.off{position:absolute;left:-9999px}";
const amount = (whole: string, cents: string) =>
  `<span class=amount><bdi><span>$</span>${whole}<sup>${cents}</sup></bdi></span>`;

/** What each kind of text of `.v` is. */
const KINDS: Record<string, [html: string, values: Record<NonNullable<ListField["text"]>, string>]> = {
  "hidden parts": [
    '<p class=v>Now 5<br>a day <b style="display:none">was <i>9</i></b></p>',
    {
      text: "Now 5\na day",
      full_text: "Now 5\na day was 9",
      own_text: "Now 5 a day",
      value: "",
      html: 'Now 5<br>a day <b style="display:none">was <i>9</i></b>',
    },
  ],
  "an input": [
    '<input class=v value="a">',
    { text: "typed", full_text: "typed", own_text: "", value: "typed", html: "" },
  ],
};
/** Parts of pages, the text of each, and what Chromium copies where it is selected: mostly what style rules add is missing. */
const COPIED: [html: string, text: string, copied: string][] = [
  ["Lamp <b>5</b><br>a day", "Lamp 5\na day", "Lamp 5\na day"],
  ["<i class=shown>5</i>", "€5", "5"],
  ["<i class=numbered>Lamp</i>", "Lamp", "Lamp"],
  ["<i class=pictured>Lamp</i>", "Lamp", "Lamp"],
  ["<q>Lamp</q>", "Lamp", "Lamp"],
  ["<ol><li>Lamp<li>Chair</ol>", "Lamp\nChair", "Lamp\nChair"],
  ["<img alt=Lamp> 5", "5", "5"],
  ["$19<sup>99</sup>", "$19.99", "$1999"],
  ["<i class=sr>Price </i>5", "5", "Price5"],
  ["<del>9</del> <ins>5</ins>", "5", "9 5"],
  ["<ruby>漢<rt>かん</rt></ruby>", "漢", "漢かん"],
];
const kinds = ["text", "full_text", "own_text", "value", "html"] as const;

export default {
  "of style rules, apart from icons and marks of what opens": texts(
    [
      ['<b class=p data-cents="39">13</b>', "€13.39"],
      ["<i class=icon></i> Lamp", "Lamp"],
      ["<i class=alt></i> Lamp", "★ Lamp"],
      ["<button class=closed aria-expanded=false>Delivery</button>", "Delivery"],
      [
        "<button aria-expanded=true><b class=alt>Lamps</b> <i class=p data-cents=50>3</i></button>",
        "Lamps €3.50",
      ],
      ["<i class=list>red</i><i class=list>blue</i>", "red, blue, "],
      ["<i class=unit>9.50</i>", "9.50 €"],
    ].map(([html = "", text = ""]) => [html, text.trim()] as const),
    `<style>.p::before{content:'€'}.p::after{content:'.' attr(data-cents)}.icon::before{content:'\\f101'}
    .alt::before{content:'★' / 'favourite'}.list::after{content:', '}.unit{--unit:'€'}.unit::after{content:' ' var(--unit)}.closed::after{content:'+';position:absolute}</style>`,
  ),
  "raised digits, footnotes, and what annotates": texts([
    [amount("19", "99"), "$19.99"],
    ["1.299<sup>90</sup> €", "1.299,90 €"],
    ["<span lang=de>19<sup>99</sup> €</span>", "19,99 €"],
    ["50 km<sup>2</sup>", "50 km²"],
    ["10<sup>12</sup>", "10¹²"],
    ["10<sup>-3</sup>", "10⁻³"],
    ["12<sup>.90</sup> €", "12.90 €"],
    ["1<sup>st</sup>", "1st"],
    ["1<sup>1</sup>⁄<sub>2</sub> m", "1 1⁄2 m"],
    ['1,204<sup><a href="#n1">[1]</a></sup>', "1,204"],
    ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢"],
    ["<math><mi>x</mi><mo>=</mo><mn>3</mn></math>", "x=3"],
  ]),
  "digits that layout raises": texts(
    [
      ["$<b>1,299<i class=no>.</i></b><i class=up>90</i>", "$1,299.90"],
      ["<b>19</b><i style='vertical-align:.75ex'>99</i> €", "19.99 €"],
      ["<b>19</b><i style='vertical-align:top'><u class=sr>,</u>99</i>", "19,99"],
      ["<b>19<i style='vertical-align:text-top;display:inline-block'>99</i></b> €", "19.99 €"],
      ["<span class=beside> <u>€ </u> <b>19</b> <i> 99 </i> </span>", "€\n19.99"],
      ["10<i class=up>6</i> m", "10⁶ m"],
      ["<b>19</b><i>99</i> €", "1999 €"],
      ["<b>19</b><i class=down>99</i> €", "1999 €"],
      ["<b>Lamp 19</b> <i class=up>99</i> €", "Lamp 19 99 €"],
      ["1<u>2</u> €", "12 €"],
    ],
    `<style>${HIDDEN}.no{display:none}b{font-size:24px}i{font-size:12px}.up{position:relative;top:-.75em}
    .down{vertical-align:sub}.beside{display:flex;align-items:flex-start}</style>`,
  ),
  "written from its end": texts(
    [
      ["<i class=r>moc.elpmaxe</i>", "example.com"],
      ["Write to <i class=r>moc.<b>elpmaxe</b></i> now", "Write to example.com now"],
      ["<bdo dir=rtl>321</bdo>", "123"],
      ['<i style="direction:rtl;unicode-bidi:bidi-override">321</i>', "123"],
      ["<i dir=rtl>123</i>", "123"],
    ],
    "<style>.r{direction:rtl;unicode-bidi:bidi-override}</style>",
  ),
  "of an element that is written from its end": {
    html: "<style>.v{direction:rtl;unicode-bidi:bidi-override}</style><p class=row><b class=v>moc.elpmaxe@o</b></p>",
    steps: [visit(), { type: "get_list", selector: ".row", fields: [{ name: "value", selector: ".v" }] }],
    rows: [{ value: "o@example.com" }],
    engines: ["browser", "auto"],
    variants: {
      "": {},
      "with a script": {
        html: `${SCRIPT}<style>.v{direction:rtl;unicode-bidi:bidi-override}</style><p class=row><b class=v>moc.elpmaxe@o</b></p>`,
      },
    },
  },
  "for screen readers alone, and old versions": texts(
    [
      ["5<i class=sr> euros</i>.<i class=sr>and </i>20<i class=off> cents</i>", "5.20"],
      [`<del>$40.00</del> <i class=sr>It was $40.00.</i><ins>$31.50</ins>`, "$31.50"],
      ...[
        "left:-10000px",
        "left:-100vw",
        "left: -200%",
        "top:-1000px",
        "right:9999px",
        "margin-left:-9999px",
        "width:1px;height:1px;overflow:hidden",
      ].map((place) => [`<i style="position:absolute;${place}">sale price</i> 5`, "5"] as const),
      ['<i style="position:absolute;left:-10px">sale</i> 5', "sale\n5"],
      ["<del>Only an old version</del>", "Only an old version"],
      ["<i class=sr>All of it</i>", "All of it"],
    ],
    `<style>${HIDDEN}</style>`,
  ),
  "of parts that are hidden as a whole": {
    html: `<style>.tab{display:none}.kept{visibility:hidden}.closed{content-visibility:hidden}${HIDDEN}</style>
      <div class="row tab"><div class=v>One<br>line<div>more</div><b hidden>no</b></div></div>
      <details class=row><summary>More</summary><p class=v>Two</p></details>
      <div class="row kept"><p class=v>Three</p></div>
      <div class="row closed"><p class=v>Four</p></div>
      <div class="row"><p class="v sr">Five</p></div>`,
    steps: [visit(), { type: "get_list", selector: ".row", fields: [{ name: "value", selector: ".v" }] }],
    rows: ["One\nline\nmore", "Two", "Three", "Four", "Five"].map((value) => ({ value })),
  },
  "beside what Chromium copies": {
    html: `<style>${HIDDEN} .shown::before{content:'€'} .numbered{counter-increment:n} .numbered::before{content:counter(n) '. '}
      .pictured::before{content:url(x.png) / "A lamp"}</style>
      ${COPIED.map(([html]) => `<div class=row><div class=v>${html}</div></div>`).join("")}
      <script>
        for (const row of document.querySelectorAll(".row")) {
          getSelection().selectAllChildren(row.firstChild);
          row.dataset.copied = getSelection().toString().trim();
        }
        getSelection().empty();
      </script>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".row",
        fields: [
          { name: "text", selector: ".v" },
          { name: "copied", attribute: "data-copied" },
        ],
      },
    ],
    rows: COPIED.map(([, text, copied]) => ({ text, copied })),
  },
  "in the shadow roots of components, and in their slots": {
    html: `<table><tr><td class=v>from <ui-money></ui-money> each</td></tr><tr><td><x-card>light<b slot=t>Title</b></x-card></td></tr></table>
      <script>
      customElements.define("ui-money", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<style>b { color: red }</style><b>€5</b>"; } });
      customElements.define("x-card", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<h3 class=v><slot name=t></slot></h3>"; } });
      </script>`,
    steps: [visit(), { type: "get_list", selector: "tr", fields: [{ name: "value", selector: ".v" }] }],
    rows: [{ value: "from €5 each" }, { value: "Title" }],
  },
  "in closed shadow roots, which stay closed for the page's scripts": {
    html: `<x-good data-t=Lamp></x-good><p class=told></p><script>
      customElements.define("x-good", class extends HTMLElement { connectedCallback() {
        const root = this.attachShadow({ mode: "closed" });
        root.innerHTML = "<b class=name>" + this.dataset.t + "</b>";
        document.querySelector(".told").textContent = this.shadowRoot + " " + root.mode + " " + this.attachShadow;
      } });
      </script>`,
    steps: [
      visit(),
      { type: "get_text", field_name: "told", selector: ".told" },
      { type: "get_list", selector: "x-good", fields: [{ name: "value", selector: ".name" }] },
    ],
    rows: [{ told: "null closed function () { [native code] }", value: "Lamp" }],
  },
  "of what a name stands for": {
    html: `<label for=q>Amount</label><input id=q><dl><dt>Price<dd>19<sup>99</sup> <b style="display:none">$</b></dl>
      <script>q.value = "5"</script>`,
    steps: [
      visit(),
      { type: "get_text", field_name: "Amount" },
      { type: "get_text", field_name: "Price", text: "full_text" },
      { type: "get_text", field_name: "amount", attribute: "id" },
    ],
    rows: [{ Amount: "5", Price: "1999 $", amount: "q" }],
  },
  "in XHTML": {
    routes: {
      "/": (_, response) => {
        response.writeHead(200, { "content-type": "application/xhtml+xml; charset=utf-8" });
        response.end(
          '<html xmlns="http://www.w3.org/1999/xhtml"><body><ul><li>A &amp; <![CDATA[<co>]]></li></ul></body></html>',
        );
      },
    },
    steps: [visit(), { type: "get_list", selector: "li", fields: [{ name: "value" }] }],
    rows: [{ value: "A & <co>" }],
  },
  "of each kind": {
    variants: Object.fromEntries(
      Object.entries(KINDS).map(([name, [part, values]]) => [
        name,
        {
          html: `<div class=row>${part}</div><script>for (const input of document.querySelectorAll("input")) input.value = "typed";</script>`,
          steps: [
            visit(),
            ...kinds
              .map(
                (text) =>
                  ({
                    type: "get_text",
                    field_name: `one ${text}`,
                    selector: ".v",
                    text,
                    timeout_ms: 300,
                  }) as const,
              )
              .filter((step) => step.text !== "value" || values.value !== ""),
            {
              type: "get_list",
              selector: ".row",
              fields: kinds.map((text) => ({ name: text, selector: ".v", text })),
            },
          ],
          rows: [
            Object.fromEntries(
              kinds.flatMap((kind) =>
                kind === "value" && values.value === ""
                  ? []
                  : [
                      [`one ${kind}`, values[kind]],
                      [kind, values[kind]],
                    ],
              ),
            ),
          ],
          warnings: kinds
            .filter((kind) => values[kind] === "")
            .map((field) => ({ code: "field_empty", field })),
        },
      ]),
    ),
  },
} satisfies Pages;
