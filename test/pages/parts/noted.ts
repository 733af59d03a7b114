import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type ExpectedFailure, type Page, visit } from "../page.ts";

/** How long a step looks for what is not there, in ms. */
export const SHORTLY = { timeout_ms: 400 };

const NOTE = `<script>const note = (text) => { log.textContent += text + ";"; };</script>`;

/** A page whose scripts `note()` what happens, and what they have noted after the steps. */
export const noted = (html: string, steps: Step[], log: string, more: Omit<Page, "html"> = {}): Page => ({
  html: `<!doctype html>${NOTE}${html}<p id=log></p>`,
  steps: [visit(), ...steps, { type: "get_text", field_name: "log", selector: "#log" }],
  rows: [{ log }],
  ...more,
});

/** A page on which a step fails. */
export const failing = (html: string, step: Step, failure: ExpectedFailure): Page => ({
  html: `<!doctype html>${NOTE}${html}<p id=log></p>`,
  steps: [visit(), step],
  failure: typeof failure === "string" ? failure : { step: 1, ...failure },
});
