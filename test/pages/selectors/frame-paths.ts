import type { Step } from "../../../functions/contract/steps/steps.ts";
import { cards, lamps, type Page, type Pages, visit } from "../page.ts";

/* Lists and elements in frames inside of frames, and in frames whose document is an attribute. */

const escaped = (html: string) => html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const INNER = `<button onclick="list.innerHTML = '${cards(1, 3).replaceAll('"', "")}'">Show</button>
  <ul id=list></ul><p>All lamps</p>`;
const MIDDLE = `<iframe class=other srcdoc="<p>Other</p>"></iframe><iframe class=inner srcdoc="${escaped(INNER)}"></iframe>`;
const steps = (frame: string | string[]): Step[] => [
  visit(),
  { type: "click", field_name: "Show", frame },
  { type: "wait", text: "Lamp 3", frame },
  { type: "get_text", field_name: "text", selector: "p", frame },
  { type: "get_list", selector: ".card", fields: [{ name: "name" }], frame },
];
const page = (path: string | string[]): Page => ({
  html: `<iframe id=outer src=/middle></iframe>`,
  routes: { "/middle": MIDDLE },
  steps: steps(path),
  rows: lamps(1, 3).map((row) => ({ text: "All lamps", ...row })),
});

export default {
  "a frame inside a frame, whose document is an attribute": {
    ...page(["#outer", ".inner"]),
    variants: {
      "by CSS": {},
      "by Playwright's selectors": page(["iframe >> nth=0", "iframe:visible >> nth=1"]),
    },
  },
  "a path of one frame is that frame": {
    html: `<iframe srcdoc="${escaped(cards(1, 2))}"></iframe>`,
    steps: [visit(), { type: "get_list", selector: ".card", fields: [{ name: "name" }], frame: ["iframe"] }],
    rows: lamps(1, 2),
  },
  "a frame inside a frame that is looked for in the page": {
    ...page("#outer"),
    steps: [
      visit(),
      { type: "get_list", selector: ".card", fields: [{ name: "name" }], frame: ".inner", timeout_ms: 500 },
    ],
    rows: [],
    failure: {
      ...{ code: "element_not_found", step: 1 },
      message:
        /matches \.inner\. .*list the selectors from the outermost frame on, such as "frame": \["#outer", "#inner"\]/,
    },
  },
} satisfies Pages;
