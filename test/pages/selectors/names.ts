import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Pages } from "../page.ts";
import { failing, noted, SHORTLY } from "../parts/noted.ts";

/* Elements by what people call them. */

const click = (name: string, more: object = {}): Step =>
  ({ type: "click", field_name: name, ...more }) as Step;
const write = (name: string | undefined, value = "x", more: object = {}): Step =>
  ({ type: "write_input", ...(name && { field_name: name }), value, ...more }) as Step;
const tab: Step = { type: "press_key", value: "Tab" };

/** An element for each name, which notes that it was clicked. */
const clicked: [name: string, html: string][] = [
  ["Role and name", `<button aria-label="Role and name" onclick="CLICK">→</button>`],
  ["visible TEXT", `<div onclick="CLICK">Visible text</div>`],
  [
    "Text below its box",
    `<div tabindex=0 onclick="CLICK"><div style="pointer-events:none">Text below its box</div></div>`,
  ],
  ["Own title", `<a href="#" title="Own title" onclick="CLICK">?</a>`],
  ["Item title", `<ul><li title="Item title"><button onclick="CLICK">→</button></li></ul>`],
  ["Item label", `<ul><li aria-label="Item label"><span><a href="#" onclick="CLICK">→</a></span></li></ul>`],
  ["Title of no control", `<ul><li title="Title of no control" onmouseup="CLICK">→</li></ul>`],
  ["A part of", `<button onclick="CLICK">A part of the 312 names</button>`],
  ["Developers name", `<button id="developers-name" onclick="CLICK">→</button>`],
  [
    "Visible one",
    `<button style="display:none">Visible one</button><button onclick="CLICK">Visible one</button>`,
  ],
  ["Exact", `<button>Exact or not</button><button onclick="CLICK">Exact</button>`],
  [
    "Larger thing",
    `<section title="Larger thing"><button>A</button><button>B</button></section><button onclick="CLICK">Larger thing now</button>`,
  ],
  [
    "Same link",
    `<a href="#offers" onclick="CLICK">Same link</a><a href="#offers" onclick="note('other')">Same link</a>`,
  ],
  [
    "I agree",
    `<label><input type=checkbox style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)" onchange="CLICK"><span>☐</span> I agree</label>`,
  ],
  [
    "Leather (2)",
    `<label><input type=checkbox onchange="CLICK"><a href="#leather" onclick="note('link')">Leather (2)</a></label>`,
  ],
  [
    "Sign in",
    `<a href="#account">Sign in</a><form onsubmit="return false"><button onclick="CLICK">Sign in</button></form>`,
  ],
  [
    "Reviews",
    `<ul role=tablist><li role=tab style="width:900px"><a href="#reviews" onclick="CLICK">Reviews</a></li></ul>`,
  ],
  [
    "Everything",
    `<div style="position:relative;height:20px"><input id=box type=radio style="position:absolute;left:20px" onchange="CLICK"><label for=box style="position:absolute;left:0">Everything in it</label></div>`,
  ],
];

let labels = 0;
function input(label: string, onchange = "note('other')"): string {
  labels += 1;
  return `<label for=i${labels}>${label}</label><input id=i${labels} onchange="${onchange}">`;
}

/** An input for each name, which notes what was written into it. */
const written: [name: string, html: string][] = [
  ["Email", input("Confirm email:") + input("Email:", "WRITTEN")],
  [
    "e-mail address",
    input("Confirm e-mail address (required) *") + input("E-mail address (required) *", "WRITTEN"),
  ],
  ["Café", input("Your café") + input("Cafe\u0301", "WRITTEN")],
  [
    `C++ (a|b) "x" >> 1/2\\d`,
    input(`d++ c++ (a|b) "x" >> 1/2\\d`) + input(`c++ (a|b) "x" >> 1/2\\d *`, "WRITTEN"),
  ],
  ["Placeholder", `<input placeholder=Placeholder onchange="WRITTEN">`],
  ["Machine", `<input name=machine onchange="WRITTEN">`],
  ["Plain", `<div contenteditable=plaintext-only aria-label=Plain onblur="WRITTEN"></div>`],
  ["Keys", `<input aria-label=Keys onkeyup="if (event.key === '7' && event.which === 55) WRITTEN">`],
  ["Slider", `<label>Slider <input type=range max=100 onchange="WRITTEN"></label>`],
];

const twoInputs = `<input id=a onchange="note('a ' + value)"><textarea id=b onchange="note('b ' + value)"></textarea><button onclick="b.focus()">Focus</button>`;
const links = (href: string) =>
  ["one", "two"].map((name) => `<a href="${href}" onclick="note('${name}')">Buy</a>`).join("");
const hidden = (html: string, step: Step) =>
  failing(`${html}<button>Send</button>`, { ...step, ...SHORTLY } as Step, {
    code: "element_not_found",
    message: /called "Apply" on .* is hidden\./,
  });

export default {
  "what is clicked": noted(
    clicked.map(([name, html]) => html.replace("CLICK", `note('${name}')`)).join("\n"),
    clicked.map(([name]) => click(name, { timeout_ms: 10_000 })),
    clicked.map(([name]) => `${name};`).join(""),
  ),
  "what is written into": noted(
    written
      .map(([, html], index) =>
        html.replace("WRITTEN", `note(${index} + ' ' + (this.value ?? this.innerText))`),
      )
      .join("\n"),
    written.flatMap(([name], index) => [write(name, `${index}7`, { timeout_ms: 10_000 }), tab]),
    written.map((_, index) => `${index} ${index}7;`).join(""),
  ),
  "an input without a name": {
    variants: {
      "the focused one": noted(twoInputs, [click("Focus"), write(undefined), tab], "b x;"),
      "the only one, and Enter": noted(
        `<form onsubmit="event.preventDefault(); note('sent ' + q.value)"><input type=hidden><input name=q id=q></form>`,
        [write(undefined, "lamp", { submit: true })],
        "sent lamp;",
      ),
      "one of two": failing(twoInputs, write(undefined, "x", SHORTLY), "element_ambiguous"),
      none: failing("<p>none</p>", write(undefined, "x", SHORTLY), "element_not_found"),
    },
  },
  "two that fit equally well": {
    variants: {
      buttons: failing("<button>Add to cart</button><button>Add to cart</button>", click("Add to cart"), {
        code: "element_ambiguous",
        message: /<button> Add to cart; .*put the step into "each" of the list\.$/,
      }),
      "links that lead nowhere": failing(links("#"), click("Buy"), "element_ambiguous"),
      "a link and an item of a menu": failing(
        `<a href="#inbox">Inbox</a><div role=menu><div role=menuitem>Inbox</div></div>`,
        click("Inbox"),
        { code: "element_ambiguous", message: "<a> Inbox; <div> Inbox" },
      ),
      "links with scripts": failing(links("javascript:void(0)"), click("Buy"), "element_ambiguous"),
    },
  },
  "a name that nothing has is told with the nearest": failing(
    `<label>Search products <input></label><input placeholder="Your e-mail">`,
    write("Serch product", "x", SHORTLY),
    { code: "element_not_found", message: '"Search products"' },
  ),
  "a name that only something hidden has": {
    variants: {
      "a button": hidden("<button hidden>Apply</button>", click("Apply")),
      "a link in it": hidden('<nav hidden><a href="/apply">Apply</a></nav>', click("Apply")),
      "a label in it": hidden('<div style="display:none"><label>Apply<input></label></div>', write("Apply")),
      "an input": hidden('<input style="visibility:hidden" placeholder="Apply">', write("Apply")),
    },
  },
  "a text by its name": {
    html: "<h1>Lamps</h1><dl><dt>Items</dt><dd>2</dd></dl><label>Sort <input value=price></label><p class=item>A</p><p class=item>B</p>",
    steps: [
      { type: "visit", url: "http://site.example/" },
      { type: "get_text", field_name: "heading", selector: "h1" },
      { type: "get_text", field_name: "Items" },
      { type: "get_text", field_name: "Sort" },
      { type: "get_list", selector: ".item", fields: [{ name: "name" }] },
    ],
    rows: ["A", "B"].map((name) => ({ heading: "Lamps", Items: "2", Sort: "price", name })),
  },
  "an attribute that the element does not have": failing(
    "<a>Prices</a>",
    { type: "get_text", field_name: "Prices", attribute: "href", ...SHORTLY },
    { code: "element_not_found", message: "no href" },
  ),
} satisfies Pages;
