import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Page, type Pages, visit } from "../page.ts";

/* Selectors that can't be read. */

const items = '<p class="item">One</p><p class="item">Two</p>';
const list = (selector: string, field?: string): Step => ({
  type: "get_list",
  selector,
  fields: [{ name: "name", ...(field && { selector: field }) }],
  timeout_ms: 500,
});
/** The list can't be read. */
const failing = (step: Step, message = ""): Page => ({
  html: '<p class="item"><a href="/one">One</a></p>',
  steps: [visit(), step],
  failure: { code: "invalid_step", step: 1, message },
});
/** The list is read, its pagination can't. The page has a script, or not. */
const paginated = (
  type: "next_button" | "load_more" | "infinite_scroll",
  selector: string,
  script = "",
): Page => ({
  html: `${items}<a href="/few">Next</a>${script}`,
  steps: [visit(), list(".item")],
  pagination: { type, selector },
  rows: [{ name: "One" }, { name: "Two" }],
  failure: { code: "invalid_step", step: 1, message: `${selector} is not a valid selector` },
});
const SCRIPT = "<script></script>";

export default {
  "of a list": {
    variants: {
      "nested too deep for the browser": failing(list("div:has(div:has(div:has(.item)))")),
      "not closed": failing(list("p[".repeat(900))),
      "of a kind that does not exist": failing(list("bomb=1 >> p")),
      "of attributes": failing(list("xpath=//a/@href"), "selects attributes or texts, not elements"),
    },
  },
  "of a pagination, which keeps the rows that were there": {
    variants: {
      "next_button, CSS": paginated("next_button", "a[["),
      "next_button, XPath": paginated("next_button", "xpath=//a[", SCRIPT),
      "next_button, chain": paginated("next_button", "nav >> a[[", SCRIPT),
      "load_more, CSS": paginated("load_more", "a[[", SCRIPT),
      "load_more, XPath": paginated("load_more", "xpath=//a["),
      "load_more, chain": paginated("load_more", "nav >> a[["),
      "infinite_scroll, CSS": paginated("infinite_scroll", "a[["),
      "infinite_scroll, XPath": paginated("infinite_scroll", "xpath=//a[", SCRIPT),
      "infinite_scroll, chain": paginated("infinite_scroll", "nav >> a[[", SCRIPT),
    },
  },
  "of a field": {
    variants: Object.fromEntries([
      ...["b[", "xpath=.//b[", "b >> i[["].map((field) => [
        field,
        failing(list(".item", field), `${field} is not a valid selector`),
      ]),
    ]),
  },
  // A regular expression that tries 2^40 ways to match. The test in hostile-selectors.slow.test.ts has more like it.
  "that never end": {
    html: `${items}<p>${"a".repeat(40)}b</p>`,
    steps: [visit(), list("text=/(a+)+$/")],
    failure: { code: "timeout", step: 1, message: "increase the timeout_ms of the step" },
    own: { ownBrowsers: true, answerMs: 300 },
  },
} satisfies Pages;
