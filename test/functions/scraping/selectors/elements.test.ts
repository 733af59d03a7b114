import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

/** Runs steps on a page and reads what its scripts wrote to #log. */
async function onPage(html: string, ...steps: Step[]) {
  const path = site.newPath();
  site.setRoute(
    path,
    `${html}<p id=log></p><script>const note = (text) => { log.textContent += text + ";"; };</script>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      ...steps,
      { type: "get_text", field_name: "log", selector: "#log" },
    ],
  });
  return { ...told, log: told.rows[0]?.log };
}
const quick = { timeout_ms: 3_000 };

test.concurrent.each([
  [
    "role and accessible name",
    `<button aria-label="Show results" onclick="note('hit')">→</button>`,
    "Show results",
  ],
  ["visible text", `<div onclick="note('hit')">Show results</div>`, "show results"],
  ["title", `<a href="#" title="Show results" onclick="note('hit')">?</a>`, "Show results"],
  [
    "title of its item",
    `<li title="Show results"><button onclick="note('hit')">→</button></li>`,
    "Show results",
  ],
  [
    "aria-label of its item",
    `<li aria-label="Show results"><span><a href="#" onclick="note('hit')">→</a></span></li>`,
    "Show results",
  ],
  ["title of what is no control", `<li title="Show results" onmouseup="note('hit')">→</li>`, "Show results"],
  ["a part of the name", `<button onclick="note('hit')">Show all 312 results</button>`, "Show all"],
  ["what a developer calls it", `<button id="show-results" onclick="note('hit')">→</button>`, "Show results"],
  [
    "the one that can be seen",
    `<button style="display:none">Show results</button><button onclick="note('hit')">Show results</button>`,
    "Show results",
  ],
])("clicks by %s", async (_, html, name) => {
  expect((await onPage(html, { type: "click", field_name: name })).log).toBe("hit;");
});

test.concurrent("the title of something larger names none of its controls", async () => {
  const html = `<section title="Show results"><button>A</button><button>B</button></section><button onclick="note('hit')">Show results now</button>`;
  expect((await onPage(html, { type: "click", field_name: "Show results" })).log).toBe("hit;");
});

test.concurrent("a descendant of a host is also looked for in its shadow root", async () => {
  const html = `<div id=host></div><script>
    host.attachShadow({ mode: "open" }).innerHTML = "<section><b class=card onclick='note(1)'>Card</b></section>";</script>`;
  for (const selector of ["#host .card", "#host section > .card", "body .card"])
    expect((await onPage(html, { type: "click", selector, ...quick })).log).toBe("1;");
});

test.concurrent("what is there is clicked, also by a step that does not wait for it", async () => {
  const html = `<button onclick="note('hit')">Accept</button>`;
  const told = await onPage(html, { type: "click", selector: "button", optional: true, timeout_ms: 0 });
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("hit;");
});

test.concurrent("an exact name comes before a part of one", async () => {
  const html = `<button onclick="note('all')">Search all</button><button onclick="note('one')">Search</button>`;
  expect((await onPage(html, { type: "click", field_name: "Search" })).log).toBe("one;");
});

test.concurrent.each([
  ["Email", "Email:", "Confirm email:"],
  ["e-mail", "E-mail (required) *", "Confirm e-mail (required) *"],
  ["Café", "Cafe\u0301", "Your café"],
  [`C++ (a|b) "x" >> 1/2\\d`, `c++ (a|b) "x" >> 1/2\\d *`, `d++ c++ (a|b) "x" >> 1/2\\d`],
])("%s is called so as %s, rather than %s", async (name, label, other) => {
  const input = (text: string, id: string) =>
    `<label for=${id}>${text}</label><input id=${id} oninput="note(id + value)">`;
  const told = await onPage(input(other, "b") + input(label, "a"), {
    type: "write_input",
    field_name: name,
    value: "x",
    ...quick,
  });
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("ax;");
});

test.concurrent("two that fit equally well are refused, with what they are", async () => {
  const html = `<button>Add to cart</button><button>Add to cart</button>`;
  const { failure } = await onPage(html, { type: "click", field_name: "Add to cart" });
  expect(failure).toMatchObject({
    code: "element_ambiguous",
    step: 1,
    message: expect.stringContaining("<button> Add to cart"),
  });
});

test.concurrent("links to the same place are one, and links that do something are not", async () => {
  const links = (href: string) =>
    ["one", "two"].map((name) => `<a href="${href}" onclick="note('${name}')">Buy</a>`).join("");
  const buy: Step = { type: "click", field_name: "Buy" };
  expect((await onPage(links("#offers"), buy)).log).toBe("one;");
  for (const href of ["#", "javascript:void(0)"])
    expect((await onPage(links(href), buy)).failure).toMatchObject({ code: "element_ambiguous" });
});

test.concurrent("a name that nothing has is told with the nearest", async () => {
  const html = `<label>Search products <input></label><input placeholder="Your e-mail">`;
  const { failure } = await onPage(html, {
    type: "write_input",
    field_name: "Serch product",
    value: "x",
    ...quick,
  });
  expect(failure).toMatchObject({
    code: "element_not_found",
    message: expect.stringContaining('"Search products"'),
  });
});

test.concurrent.each([
  ["label", `<label for=a>City</label><input id=a onchange="note(value)">`],
  ["placeholder", `<input placeholder=City onchange="note(value)">`],
  ["name", `<input name=city onchange="note(value)">`],
  [
    "label, where it is plain text",
    `<div contenteditable=plaintext-only aria-label=City onblur="note(innerText)"></div>`,
  ],
])("writes into an input by its %s", async (_, html) => {
  const told = await onPage(
    html,
    { type: "write_input", field_name: "City", value: "Bern" },
    { type: "press_key", value: "Tab" },
  );
  expect(told.log).toBe("Bern;");
});

test.concurrent.each([
  "<button hidden>Apply</button>",
  '<nav hidden><a href="/apply">Apply</a></nav>',
  '<div style="display:none"><label>Apply<input></label></div>',
  '<input style="visibility:hidden" placeholder="Apply">',
])("a name that only something hidden has is reported as such: %s", async (hidden) => {
  const step: Step = hidden.includes("input")
    ? { type: "write_input", field_name: "Apply", value: "x", ...quick }
    : { type: "click", field_name: "Apply", ...quick };
  const { failure } = await onPage(`${hidden}<button>Send</button>`, step);
  expect(failure).toMatchObject({ code: "element_not_found", step: 1 });
  expect(failure?.message).toMatch(/called "Apply" on .* is hidden\./);
});

test.concurrent("with no name: the focused input, else the only one, else a question", async () => {
  const two = `<input id=a onchange="note('a ' + value)"><textarea id=b onchange="note('b ' + value)"></textarea><button onclick="b.focus()">Focus</button>`;
  const write: Step = { type: "write_input", value: "x", ...quick };
  const tab: Step = { type: "press_key", value: "Tab" };
  expect((await onPage(two, { type: "click", field_name: "Focus" }, write, tab)).log).toBe("b x;");
  expect((await onPage(two, write)).failure).toMatchObject({ code: "element_ambiguous" });
  expect((await onPage(`<input type=hidden><input onchange="note(value)">`, write, tab)).log).toBe("x;");
  expect((await onPage("<p>none</p>", write)).failure).toMatchObject({ code: "element_not_found" });
});

test.concurrent("submits with Enter", async () => {
  const told = await onPage(
    `<form onsubmit="event.preventDefault(); note('sent ' + q.value)"><input name=q id=q></form>`,
    {
      type: "write_input",
      value: "lamp",
      submit: true,
    },
  );
  expect(told.log).toBe("sent lamp;");
});

test.concurrent("chooses by label or value, also options that come late or are no <select>", async () => {
  const html = `<select aria-label=Sort onchange="note(value)"><option value=a>Name</option></select>
    <script>setTimeout(() => { document.querySelector("select").innerHTML += "<option value=p>Price, low to high</option>"; }, 200)</script>`;
  expect(
    (await onPage(html, { type: "select_dropdown", field_name: "Sort", value: "Price, low to high" })).log,
  ).toBe("p;");
  expect((await onPage(html, { type: "select_dropdown", value: "p" })).log).toBe("p;");
  const { failure } = await onPage(html, { type: "select_dropdown", value: "Prise, low to hih", ...quick });
  expect(failure).toMatchObject({
    code: "option_not_found",
    message: expect.stringContaining('"Price, low to high"'),
  });
  const widget = `<div role=combobox tabindex=0 aria-label=Size onclick="list.hidden = false">Any</div><ul id=list role=listbox hidden><li role=option onclick="note('S')">Small</li><li role=option>Large</li></ul>`;
  expect((await onPage(widget, { type: "select_dropdown", field_name: "Size", value: "Small" })).log).toBe(
    "S;",
  );
});

const OUT_OF_SIGHT = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
test.concurrent.each([
  ["in it", `<label><input type=checkbox style="IT" onchange="note(checked)"><span>☐</span> I agree</label>`],
  [
    "beside it",
    `<input id=a type=radio style="position:absolute;left:20px" onchange="note(checked)"><label for=a style="position:absolute;left:0">I agree to everything</label>`,
  ],
])("clicks the label that stands for its box, with the box %s", async (_, html) => {
  const told = await onPage(html.replace("IT", OUT_OF_SIGHT), {
    type: "click",
    field_name: "I agree",
    ...quick,
  });
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("true;");
});

test.concurrent("what is written is also told to pages that look at it when a key is let go", async () => {
  const html = `<input aria-label=City onkeyup="note(value + ' ' + event.key)">`;
  const told = await onPage(html, { type: "write_input", field_name: "City", value: "Bern" });
  expect(told.log).toBe("Bern n;");
});

const write: Step = { type: "write_input", field_name: "Phone", value: "5551234567" };
/** An input that notes what it has when it is left, and a script that has it as `field`. */
const masked = (script: string) =>
  `<input id=field aria-label=Phone onchange="note(value)"><script>${script}</script>`;

test.concurrent.each<[string, string, string]>([
  [
    "formats it",
    masked("field.oninput = () => { field.value = field.value.replace(/^(...)(...)(.+)$/, '($1) $2-$3'); };"),
    "(555) 123-4567;",
  ],
  [
    "only takes what is typed",
    masked(
      `let typed = ""; const show = () => { field.value = typed; };
      field.onkeypress = (event) => { typed += event.key; event.preventDefault(); show(); }; field.oninput = () => { typed = ""; show(); };`,
    ),
    "5551234567;",
  ],
  [
    "empties what was not typed a little later",
    masked(
      `let keys = 0; field.onkeypress = () => { keys += 1; };
      field.oninput = () => queueMicrotask(() => { if (keys < field.value.length) field.value = ""; });`,
    ),
    "5551234567;",
  ],
  [
    "has to be told of a key first",
    masked(
      "let isEdited = false; field.onkeydown = (event) => { isEdited ||= event.key.length === 1; };",
    ).replace("note(value)", "note(isEdited ? value : 'not edited')"),
    "5551234567;",
  ],
  ["cuts it", masked("field.maxLength = 3;"), "555;"],
])("writes into an input that %s", async (_, html, log) => {
  const told = await onPage(html, write, { type: "press_key", value: "Tab" });
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe(log);
});

test.concurrent("an input that shows something else than what was written is told as such", async () => {
  const { failure } = await onPage(masked("field.oninput = () => { field.value = '+1'; };"), write);
  expect(failure).toMatchObject({
    code: "element_unusable",
    step: 1,
    message: expect.stringContaining('"Phone"'),
  });
});

test.concurrent("a page that scrolls smoothly is scrolled at once", async () => {
  const html = `<style>html { scroll-behavior: smooth }</style><div style="height:20000px"></div>
    <button style="position:fixed;top:0" onclick="note(scrollY > 18000)">Where</button>`;
  const steps: Step[] = [
    { type: "scroll", value: "bottom" },
    { type: "press_key", value: "Enter" },
  ];
  const focused = html.replace("<button", "<button autofocus");
  expect((await onPage(focused, ...steps)).log).toBe("true;");
});

test.concurrent("finds a slider, and a button that opens a list, by their names", async () => {
  const html = `<label>Price <input type=range max=100 onchange="note(value)"></label>
    <button aria-haspopup=listbox aria-label=Size onclick="list.hidden = false">Any</button>
    <ul id=list role=listbox hidden><li role=option onclick="note('S')">Small</li></ul>`;
  const told = await onPage(
    html,
    { type: "write_input", field_name: "Price", value: "40", ...quick },
    { type: "select_dropdown", field_name: "Size", value: "Small", ...quick },
  );
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("40;S;");
});

test.concurrent("what can't be used is told as such", async () => {
  const { failure } = await onPage(`<button disabled>Buy</button>`, {
    type: "click",
    field_name: "Buy",
    timeout_ms: 500,
  });
  expect(failure).toMatchObject({ code: "element_unusable", step: 1 });
  expect((await onPage("", { type: "press_key", value: "Nonsense" })).failure).toMatchObject({
    code: "invalid_step",
  });
});

const cover = (id: string) => `<div id=${id} style="position:fixed;inset:0">${id}</div>`;
test.concurrent.each<[string, string, Step, Record<string, unknown>]>([
  [
    "a number input takes no text",
    "<input type=number>",
    { type: "write_input", value: "many" },
    { code: "element_unusable", message: expect.stringContaining("input[type=number]") },
  ],
  [
    "a date is written in another way",
    "<input type=date>",
    { type: "write_input", value: "31.01.2026" },
    { code: "element_unusable", message: expect.stringContaining("input[type=date]") },
  ],
  [
    "a checkbox is no text input",
    "<input type=checkbox>",
    { type: "write_input", selector: "input", value: "x" },
    { code: "element_unusable", message: expect.stringContaining('"checkbox"') },
  ],
  [
    "an option is off",
    "<select><option>All</option><option disabled>Books</option></select>",
    { type: "select_dropdown", value: "Books" },
    { code: "element_unusable", message: expect.stringContaining("option being selected is not enabled") },
  ],
  [
    "what covers it last, not what did first",
    `<button>Buy</button>${cover("splash")}<script>setTimeout(() => { splash.outerHTML = '${cover("cookies")}'; }, 300)</script>`,
    { type: "click", field_name: "Buy" },
    { code: "element_covered", message: expect.stringContaining('<div id="cookies">') },
  ],
])("why an element can't be used: %s", async (_, html, step, failure) => {
  expect((await onPage(html, { ...step, ...quick } as Step)).failure).toMatchObject(failure);
});

test.concurrent("what is optional may be out of sight", async () => {
  const html = `<div hidden><button>Accept</button><input><select></select></div>`;
  const told = await onPage(
    html,
    { type: "click", selector: "button", optional: true, ...quick },
    { type: "write_input", selector: "input", value: "x", optional: true, ...quick },
    { type: "select_dropdown", selector: "select", value: "x", optional: true, ...quick },
  );
  expect(told.failure).toBeUndefined();
  const { failure } = await onPage(html, { type: "click", selector: "button", ...quick });
  expect(failure).toMatchObject({ code: "element_unusable" });
});

test.concurrent("waits for an element, scrolls, and goes on without what is optional", async () => {
  const html = `<div style="height:3000px"></div><div id=end>End</div><script>
    onscroll = () => { setTimeout(() => end.insertAdjacentHTML("afterend", "<b class=late>Late</b>"), 200); onscroll = null; };</script>`;
  const told = await onPage(
    html,
    { type: "scroll", value: "bottom" },
    { type: "wait", selector: ".late" },
    { type: "wait", value: 10 },
    { type: "click", field_name: "Nothing", optional: true, ...quick },
    { type: "get_text", field_name: "Late", selector: ".late" },
    { type: "get_text", field_name: "Gone", selector: ".gone", optional: true, ...quick },
  );
  expect(told.rows).toEqual([{ Late: "Late", log: "" }]);
});

test.concurrent.each([
  ["an element", {}],
  ["the frame of an element", { frame: "#none" }],
])("waits in vain for %s", async (_, where) => {
  const { failure } = await onPage("", { type: "wait", selector: ".late", ...where, ...quick });
  expect(failure).toMatchObject({
    code: "element_not_found",
    step: 1,
    message: expect.stringContaining(".late"),
  });
});

describe("frames", () => {
  const inFrames = (...steps: Step[]) => {
    site.setRoute(
      "/inner",
      "<button onclick=\"heading.textContent = 'Hit'\">Go</button><h1 id=heading>In</h1>",
    );
    site.setRoute("/outer", `<iframe src="/inner"></iframe><iframe src="/inner"></iframe>`);
    return engine.run({ steps: [{ type: "visit", url: site.url("/outer") }, ...steps] });
  };

  test.concurrent.each(["iframe", "iframe >> nth=0", "iframe:visible", "xpath=//iframe[1]"])(
    "the first that matches %s, for every step",
    async (frame) => {
      const told = await inFrames(
        { type: "wait", selector: "h1", frame },
        { type: "scroll", value: "bottom", frame },
        { type: "click", field_name: "Go", frame },
        { type: "get_text", field_name: "Hit", frame },
        { type: "get_text", field_name: "title", selector: "h1", frame },
        { type: "get_list", selector: "h1", fields: [{ name: "name" }], frame },
      );
      expect(told.failure).toBeUndefined();
      expect(told.rows).toEqual([{ Hit: "Hit", title: "Hit", name: "Hit" }]);
    },
  );

  test.concurrent.each<Step>([
    { type: "wait", selector: "h1.of-a-long-selector", ...quick },
    { type: "scroll", value: "bottom", ...quick },
    { type: "click", field_name: "Go", ...quick },
    { type: "get_text", field_name: "title", selector: "h1", ...quick },
    { type: "get_list", selector: "h1", fields: [{ name: "name" }], ...quick },
  ])("one that can't be read, or is not there, is told as such: %j", async (step) => {
    const unreadable = await inFrames({ ...step, frame: "iframe[" } as Step);
    expect(unreadable.failure).toMatchObject({
      code: "invalid_step",
      message: expect.stringContaining("iframe[ is not a valid selector"),
    });
    const missing = await inFrames({ ...step, frame: "#none" } as Step);
    expect(missing.failure).toMatchObject({ code: "element_not_found", step: 1 });
  });
});

test.concurrent("get_text by name, and as a part of every row", async () => {
  site.setRoute(
    "/shop",
    `<h1>Lamps</h1><dl><dt>Items</dt><dd>2</dd></dl><label>Sort <input value=price></label><p class=item>A</p><p class=item>B</p>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/shop") },
      { type: "get_text", field_name: "heading", selector: "h1" },
      { type: "get_text", field_name: "Items" },
      { type: "get_text", field_name: "Sort" },
      { type: "get_list", selector: ".item", fields: [{ name: "name" }] },
    ],
  });
  expect(told.rows).toEqual([
    { heading: "Lamps", Items: "2", Sort: "price", name: "A" },
    { heading: "Lamps", Items: "2", Sort: "price", name: "B" },
  ]);
});

test.concurrent("get_text by name takes no attribute for one that is not there", async () => {
  const { failure } = await onPage("<a>Prices</a>", {
    type: "get_text",
    field_name: "Prices",
    attribute: "href",
  });
  expect(failure).toMatchObject({ code: "element_not_found", message: expect.stringContaining("no href") });
});

test.concurrent("details are added to their rows in order; a page that is gone leaves its fields out", async () => {
  site.setRoute(
    "/cat",
    Array.from({ length: 12 }, (_, n) => `<a class=item href="/d${n}">Item ${n}</a>`).join(""),
  );
  for (let n = 0; n < 12; n += 1) {
    site.setRoute(`/d${n}`, (_, response) => {
      setTimeout(
        () =>
          response
            .writeHead(n === 5 ? 404 : 200, { "content-type": "text/html" })
            .end(`<b class=price>${n}.00</b>`),
        (12 - n) * 10,
      );
    });
  }
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/cat") },
      {
        type: "get_list",
        selector: ".item",
        fields: [{ name: "name" }, { name: "url", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "price", selector: ".price" }] },
      },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map((row) => row.price)).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => (n === 5 ? undefined : `${n}.00`)),
  );
  expect(told.loads).toBe(12);
});

test.concurrent("a detail page that fills itself in is waited for; one that is no page leaves its fields out", async () => {
  site.setRoute(
    "/shelf",
    ["fills", "file"].map((path) => `<a class=item href="/${path}">${path}</a>`).join(""),
  );
  site.setRoute(
    "/fills",
    "<b class=price></b><script>setTimeout(() => { document.querySelector('b').textContent = '1.00'; }, 300)</script>",
  );
  site.setRoute("/file", (_, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF-1.7");
  });
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/shelf") },
      {
        type: "get_list",
        selector: ".item",
        fields: [{ name: "name" }, { name: "url", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "price", selector: ".price" }] },
      },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name, price }) => [name, price])).toEqual([
    ["fills", "1.00"],
    ["file", undefined],
  ]);
  expect(told.loads).toBe(2);
});
