import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Page, type Pages, visit } from "../page.ts";
import { failing, noted, SHORTLY } from "../parts/noted.ts";

/** A text that changes after a while, which the page notes. */
const changing = (before: string, after: string, on = "note('changed')") =>
  `<div id=place>${before}</div><script>setTimeout(() => { place.innerHTML = ${JSON.stringify(after)}; ${on}; }, 400)</script>`;

const waits = (before: string, after: string, step: Step): Page =>
  noted(changing(before, after), [step], "changed;");
const inVain = (step: Step, code: string, message: string): Page =>
  failing("<p>Busy</p>", { ...step, ...SHORTLY } as Step, { code, message });

const vain: [step: Step, code: string, message: string][] = [
  [{ type: "wait", text: "Ready" }, "element_not_found", 'The text "Ready" did not appear on'],
  [{ type: "wait", text: "Busy", gone: true }, "timeout", 'The text "Busy" is still visible on'],
  [{ type: "wait", selector: "p", gone: true }, "timeout", "What matches p is still visible on"],
  [{ type: "wait", selector: ".late" }, "element_not_found", ".late"],
  [{ type: "wait", selector: ".late", frame: "#none" }, "element_not_found", ".late"],
  [{ type: "wait", selector: "p[", gone: true }, "invalid_step", "p[ is not a valid"],
];

export default {
  "for a change": {
    variants: {
      "a text, also one in several elements": waits("", "<p>There are <b>12</b>\n results</p>", {
        type: "wait",
        text: "12 Results",
      }),
      "a text that is there but hidden": waits("<p hidden>Done</p>", "<p>Done</p>", {
        type: "wait",
        text: "Done",
      }),
      "a text to go away": waits("<p>Loading…</p>", "<p hidden>Loading…</p>", {
        type: "wait",
        text: "loading",
        gone: true,
      }),
      "an element to go away": waits("<i class=spinner>◌</i><i class=spinner>◌</i>", "", {
        type: "wait",
        selector: ".spinner",
        gone: true,
      }),
      "in a frame": {
        html: `<iframe src="/late"></iframe>`,
        routes: { "/late": changing("", "<p>Ready</p>", "") },
        steps: [
          visit(),
          { type: "wait", text: "Ready", frame: "iframe" },
          { type: "get_text", field_name: "text", selector: "#place", frame: "iframe" },
        ],
        rows: [{ text: "Ready" }],
      },
    },
  },
  "what was never there is gone, and what is optional is not waited for": noted(
    "<p>Busy</p>",
    [
      { type: "wait", text: "Loading", gone: true },
      { type: "wait", selector: ".spinner", gone: true },
      { type: "wait", selector: ".spinner", frame: "#none", gone: true },
      ...vain.slice(0, 3).map(([step]) => ({ ...step, optional: true, ...SHORTLY }) as Step),
    ],
    "",
  ),
  "in vain": {
    variants: Object.fromEntries(vain.map((one) => [JSON.stringify(one[0]), inVain(...one)])),
  },
} satisfies Pages;
