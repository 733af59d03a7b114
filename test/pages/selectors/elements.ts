import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Pages, visit } from "../page.ts";
import { failing, noted, SHORTLY } from "../parts/noted.ts";

/* What can be done with an element that was found, and why it can't. */

const phone: Step = { type: "write_input", field_name: "Phone", value: "5551234567" };
/** Inputs that treat what is written in their own way, and what they have when they are left. */
const masked: [name: string, attributes: string, script: string, value: string][] = [
  [
    "Formats",
    "",
    "field.oninput = () => { field.value = field.value.replace(/^(...)(...)(.+)$/, '($1) $2-$3'); };",
    "(555) 123-4567",
  ],
  [
    "Typed",
    "",
    `let typed = ""; const show = () => { field.value = typed; };
    field.onkeypress = (event) => { typed += event.key; event.preventDefault(); show(); }; field.oninput = () => { typed = ""; show(); };`,
    "5551234567",
  ],
  [
    "Emptied",
    "",
    `let keys = 0; field.onkeypress = () => { keys += 1; };
    field.oninput = () => queueMicrotask(() => { if (keys < field.value.length) field.value = ""; });`,
    "5551234567",
  ],
  [
    "Told",
    "",
    `let isEdited = false; field.onkeydown = (event) => { isEdited ||= event.key.length === 1; };
    field.onchange = () => note("Told " + (isEdited ? field.value : "not edited"));`,
    "5551234567",
  ],
  ["Cut", "maxlength=3", "", "555"],
];
const cover = (id: string) => `<div id=${id} style="position:fixed;inset:0">${id}</div>`;
const unusable = (html: string, step: Step, message: string, code = "element_unusable") =>
  failing(html, { ...SHORTLY, ...step } as Step, { code, message });

const hiddenForm = "<div hidden><button>Accept</button><input><select></select></div>";
const optional = { optional: true, ...SHORTLY };

const frames = {
  routes: {
    "/inner": "<button onclick=\"heading.textContent = 'Hit'\">Go</button><h1 id=heading>In</h1>",
  },
  html: `<iframe src="/inner"></iframe><iframe src="/inner"></iframe>`,
};
const frameSteps: Record<string, Step> = {
  wait: { type: "wait", selector: "h1.of-a-long-selector" },
  scroll: { type: "scroll", value: "bottom" },
  click: { type: "click", field_name: "Go" },
  get_text: { type: "get_text", field_name: "title", selector: "h1" },
  get_list: { type: "get_list", selector: "h1", fields: [{ name: "name" }] },
};
const inFrame = (frame: string): Step[] =>
  [
    { type: "wait", selector: "h1", frame },
    { type: "scroll", value: "bottom", frame },
    { type: "click", field_name: "Go", frame },
    { type: "get_text", field_name: `Hit ${frame}`, selector: "h1", frame },
  ] as Step[];
const FRAMES = ["iframe", "iframe >> nth=0", "iframe:visible", "xpath=//iframe[1]"];

export default {
  "inputs that treat what is written in their own way": noted(
    masked
      .map(
        ([name, attributes, script]) =>
          `<input id=${name} aria-label=${name} ${attributes}><script>{ const field = document.getElementById("${name}");
          field.onchange = () => note("${name} " + field.value); ${script} }</script>`,
      )
      .join(""),
    masked.flatMap(([name]): Step[] => [
      { ...phone, field_name: name } as Step,
      { type: "press_key", value: "Tab" },
    ]),
    masked.map(([name, , , value]) => `${name} ${value};`).join(""),
  ),
  "shadow roots: a descendant of a host is also looked for in its root": noted(
    `<div id=host></div><script>
    host.attachShadow({ mode: "open" }).innerHTML = "<section><b class=card onclick='note(1)'>Card</b></section>";</script>`,
    ["#host .card", "#host section > .card", "body .card"].map(
      (selector): Step => ({ type: "click", selector }),
    ),
    "1;1;1;",
  ),
  "a page that scrolls smoothly is scrolled at once": noted(
    `<style>html { scroll-behavior: smooth }</style><div style="height:20000px"></div>
    <button autofocus style="position:fixed;top:0" onclick="note(scrollY > 18000)">Where</button>`,
    [
      { type: "scroll", value: "bottom" },
      { type: "press_key", value: "Enter" },
    ],
    "true;",
  ),
  "what is optional, there or not, late or out of sight": noted(
    `<button onclick="note('hit')">Agree</button>${hiddenForm}<div style="height:3000px"></div><div id=end>End</div><script>
    onscroll = () => { setTimeout(() => end.insertAdjacentHTML("afterend", "<b class=late>Late</b>"), 200); onscroll = null; };</script>`,
    [
      { type: "click", selector: "button", optional: true, timeout_ms: 0 },
      { type: "click", selector: "div button", ...optional },
      { type: "write_input", selector: "input", value: "x", ...optional },
      { type: "select_dropdown", selector: "select", value: "x", ...optional },
      { type: "scroll", value: "bottom" },
      { type: "wait", selector: ".late" },
      { type: "wait", value: 10 },
      { type: "click", field_name: "Nothing", ...optional },
      { type: "get_text", field_name: "Late", selector: ".late" },
      { type: "get_text", field_name: "Gone", selector: ".gone", ...optional },
    ],
    "hit;",
    { rows: [{ Late: "Late", log: "hit;" }] },
  ),
  "why an element can't be used": {
    variants: {
      "it is out of sight": unusable(hiddenForm, { type: "click", selector: "button" }, ""),
      "it is disabled": unusable("<button disabled>Buy</button>", { type: "click", field_name: "Buy" }, ""),
      "it shows something else": unusable(
        "<input id=field aria-label=Phone><script>field.oninput = () => { field.value = '+1'; };</script>",
        { ...phone, timeout_ms: 3_000 },
        '"Phone"',
      ),
      "a number takes no text": unusable(
        "<input type=number>",
        { type: "write_input", value: "many" },
        "input[type=number]",
      ),
      "a date is written in another way": unusable(
        "<input type=date>",
        { type: "write_input", value: "31.01.2026" },
        "input[type=date]",
      ),
      "a checkbox is no text input": unusable(
        "<input type=checkbox>",
        { type: "write_input", selector: "input", value: "x" },
        '"checkbox"',
      ),
      "an option is off": unusable(
        "<select><option>All</option><option disabled>Books</option></select>",
        { type: "select_dropdown", value: "Books" },
        "option being selected is not enabled",
      ),
      "what covers it last, not what did first": unusable(
        `<button>Buy</button>${cover("splash")}<script>setTimeout(() => { splash.outerHTML = '${cover("cookies")}'; }, 300)</script>`,
        { type: "click", field_name: "Buy", timeout_ms: 3_000 },
        '<div id="cookies">',
        "element_covered",
      ),
      "a key that does not exist": unusable("", { type: "press_key", value: "Nonsense" }, "", "invalid_step"),
    },
  },
  "frames: the first that matches, for every step": {
    ...frames,
    steps: [
      visit(),
      ...FRAMES.flatMap(inFrame),
      { type: "get_list", selector: "h1", fields: [{ name: "name" }], frame: FRAMES[1] as string },
    ],
    rows: [{ ...Object.fromEntries(FRAMES.map((frame) => [`Hit ${frame}`, "Hit"])), name: "Hit" }],
  },
  "frames: one that can't be read, or is not there": {
    ...frames,
    variants: Object.fromEntries(
      Object.entries(frameSteps).flatMap(([name, step]) => [
        [
          `${name}, invalid`,
          {
            steps: [visit(), { ...step, frame: "iframe[", ...SHORTLY } as Step],
            failure: { code: "invalid_step", step: 1, message: "iframe[ is not a valid selector" },
          },
        ],
        [
          `${name}, missing`,
          {
            steps: [visit(), { ...step, frame: "#none", ...SHORTLY } as Step],
            failure: { code: "element_not_found", step: 1 },
          },
        ],
      ]),
    ),
  },
} satisfies Pages;
