import { RESPONSE } from "../../contract/steps/json-response.ts";
import type { JsonSource } from "../../contract/steps/json-source.ts";
import type { ListField, StepOf } from "../../contract/steps/steps.ts";
import { valueFieldsOf } from "../../contract/steps/value-fields.ts";
import { pageDetails } from "../lists/detail-page.ts";
import type { ControlOptions, ListRequest } from "../lists/source.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";

/** Selectors that depend on more than the markup, or are no CSS. */
const isPlainSelector = (selector: string): boolean =>
  isNative(selector) &&
  !/^\s*(xpath=|\.{0,2}\/|\.\.|\(|(:scope)?\s*[+~>])/.test(selector) &&
  !/:(hover|focus|active|target|checked|visited|valid|invalid|in-range|out-of-range|placeholder|default|modal|popover|open|autofill|user-|host|dir|lang|fullscreen|playing|paused|state|indeterminate|read-)/i.test(
    selector,
  );

/** What is read of an element and is not in its markup. */
const RENDERED = /^(html|full_text|value|background-image)$/;

/** Warns, where the scraper asks for HTTP, that pages are read in the browser. `reason` ends a sentence. */
export function warnOfBrowser(
  { engine, warnings }: Session,
  { index }: { index: number },
  reason: string,
): void {
  if (engine !== "http") return;
  const message = `The list, or a part of it, was read in the browser and not by HTTP. The first reason is ${reason}. The rows are right; to avoid this warning, set "engine" to "auto" or "browser".`;
  warnings.add({ code: "http_not_used", message, step: index });
}

/** Whether the HTML of a list's pages may say enough. Warns as `warnOfBrowser` where it does not. */
export const isSuitable = (session: Session, request: ListRequest): boolean =>
  session.engine !== "browser" && !hasReason(session, request, unsuitableList(session, request));

/** The same for the pages of a list's rows. */
export function areDetailsSuitable(
  session: Session,
  { step, index }: { step: StepOf<"get_list">; index: number },
): boolean {
  const details = pageDetails(step);
  if (!details || session.engine === "browser") return false;
  return !hasReason(session, { index }, unsuitable(session, details.fields, []));
}

function hasReason(session: Session, step: { index: number }, reason: string | undefined): boolean {
  if (reason !== undefined) warnOfBrowser(session, step, reason);
  return reason !== undefined;
}

function unsuitableList(session: Session, { step, pagination }: ListRequest): string | undefined {
  const hasControl = pagination.type === "next_button";
  if (!hasControl && pagination.type !== "url_template")
    return "its pagination: HTTP is only used for a next_button, a url_template and details";
  const { selector, field_name: name } = pagination as ControlOptions;
  if (step.frame !== undefined) return "that the list is in a frame";
  if (step.each !== undefined) return "that the list has steps for each row";
  if (isResponse(step)) return "that the rows are in a response that a script of the page requests";
  if (hasControl && selector === undefined && name === undefined) return "that the pagination has no control";
  return unsuitable(session, step.fields, [placeOf(step), step.until, selector]);
}

type Placed = { selector?: string | undefined; json?: JsonSource | undefined };
const placeOf = ({ selector, json }: Placed) => (json ? json.source : selector);
const isResponse = ({ json }: Placed) => json?.source?.startsWith(RESPONSE) === true;

function unsuitable(
  { hasSecrets }: Session,
  fields: readonly ListField[],
  selectors: readonly (string | undefined)[],
): string | undefined {
  if (hasSecrets) return "that the run uses secrets";
  const rendered = valueFieldsOf(fields).find(({ attribute, text }) =>
    RENDERED.test(text ?? attribute ?? ""),
  );
  if (rendered)
    return `that a field reads ${rendered.text ?? rendered.attribute}, which only the browser knows`;
  if (valueFieldsOf(fields).some(({ frame }) => frame !== undefined)) return "that a field is in a frame";
  const found = [...valueFieldsOf(fields), ...fields.flatMap(({ list }) => list ?? [])];
  if (fields.some(isResponse)) return "that a field is in a response that a script of the page requests";
  const all = [...selectors, ...found.map(placeOf)];
  const special = all.find((one) => one !== undefined && !isPlainSelector(one));
  return special === undefined ? undefined : `the selector ${special}, which only the browser can evaluate`;
}
