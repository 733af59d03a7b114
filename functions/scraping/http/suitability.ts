import type { ControlOptions, PageRequest } from "../lists/list-page.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";

/** Selectors that depend on more than the markup, or are no CSS. */
const isPlainSelector = (selector: string): boolean =>
  isNative(selector) &&
  !/^\s*(xpath=|\.{0,2}\/|\.\.|\(|(:scope)?\s*[+~>])/.test(selector) &&
  !/:(hover|focus|active|target|checked|visited|valid|invalid|in-range|out-of-range|placeholder|default|modal|popover|open|autofill|user-|host|dir|lang|fullscreen|playing|paused|state|indeterminate|read-)/i.test(
    selector,
  );

/** Warns, where the scraper asks for HTTP, that pages are read in the browser. `reason` ends a sentence. */
export function warnOfBrowser({ engine, warnings }: Session, { index }: PageRequest, reason: string): void {
  if (engine !== "http") return;
  const message = `The list, or a part of it, was read in the browser and not by HTTP. The first reason is ${reason}. The rows are right; to avoid this warning, set "engine" to "auto" or "browser".`;
  warnings.add({ code: "http_not_used", message, step: index });
}

/** Whether the HTML of a list's pages may say enough. Warns as `warnOfBrowser` where it does not. */
export function isSuitable(session: Session, request: PageRequest): boolean {
  if (session.engine === "browser") return false;
  const reason = unsuitable(session, request);
  if (reason !== undefined) warnOfBrowser(session, request, reason);
  return reason === undefined;
}

function unsuitable(session: Session, { step, pagination }: PageRequest): string | undefined {
  const hasControl = pagination.type === "next_button";
  if (!hasControl && pagination.type !== "url_template")
    return "its pagination: HTTP is only used for a next_button and a url_template";
  const { selector, field_name: name } = pagination as ControlOptions;
  if (session.hasSecrets) return "that the run uses secrets";
  if (step.frame !== undefined) return "that the list is in a frame";
  if (step.details !== undefined) return "that the list has details";
  if (step.fields.some(({ attribute }) => attribute === "html")) return "that a field has the attribute html";
  if (hasControl && selector === undefined && name === undefined) return "that the pagination has no control";
  const selectors = [step.selector, selector, ...step.fields.map((field) => field.selector)];
  const special = selectors.find((one) => one !== undefined && !isPlainSelector(one));
  return special === undefined ? undefined : `the selector ${special}, which only the browser can evaluate`;
}
