import type { Inspection, InspectionPart } from "../contract/inspection.ts";
import type { RunWarning } from "../contract/run.ts";
import { elementMap } from "../proposals/element-map.ts";
import { type Proposals, propose } from "../proposals/propose.ts";
import type { Snapshot } from "../proposals/snapshot.ts";
import { treeOf } from "../proposals/tree.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { PageLook } from "../scraping/page/look.ts";

type Described = Pick<
  Inspection,
  "page" | "lists" | "pagination" | "forms" | "consent" | "map" | "screenshot" | "warnings"
>;

/** The share of the visible page that a frame covers before the page is taken for its wrapper. */
const MOST = 0.5;

/** What was asked for of the page that the steps ended at. */
export function describeLook(
  look: PageLook | undefined,
  want: readonly InspectionPart[],
  error: RunFailure | undefined,
): Described {
  if (!look)
    return {
      page: null,
      lists: null,
      pagination: null,
      forms: null,
      consent: null,
      map: null,
      screenshot: null,
      warnings: [],
    };
  const { snapshot, screenshot } = look;
  const wants = (part: InspectionPart) => want.includes(part);
  const { lists, pagination, forms, consent } = propose(snapshot);
  return {
    page: { url: snapshot.url, title: snapshot.title, width: snapshot.width, height: snapshot.height },
    lists: wants("lists") ? lists.map(({ rows: _, ...list }) => list) : null,
    pagination: wants("pagination")
      ? pagination.map(({ isSure, elements: _, ...proposal }) => ({ ...proposal, is_sure: isSure }))
      : null,
    forms: wants("forms") ? forms : null,
    consent,
    map: wants("map") ? { elements: elementMap(treeOf(snapshot)) } : null,
    screenshot: screenshot ? screenshot.toString("base64") : null,
    warnings: error ? [] : warningsOf(snapshot, lists, forms),
  };
}

/** Why a page may not be what somebody expects, and what to do then. */
function warningsOf(snapshot: Snapshot, lists: Proposals["lists"], forms: Proposals["forms"]): RunWarning[] {
  const warnings: RunWarning[] = [];
  const add = (code: string, message: string) => warnings.push({ code, message, step: null });
  const view = snapshot.width * snapshot.viewHeight;
  const frame = snapshot.elements.find(
    ({ tag, box: [, , width, height] }) => tag === "iframe" && width * height > view * MOST,
  );
  if (snapshot.omitted > 0)
    warnings.push({
      code: "page_too_large",
      message: `The page has more than ${snapshot.elements.length} elements. Proposals are made from the first ones.`,
      step: null,
      count: snapshot.omitted,
    });
  if (frame)
    add(
      "content_in_frame",
      `Most of the page is a frame. Inspect the address of the frame instead: ${frame.attributes?.src ?? "it has none"}.`,
    );
  if (lists.length === 0 && forms.some(({ kind }) => kind === "login"))
    add(
      "sign_in_required",
      "The page asks to sign in. Add steps that do so, with a secret for the password.",
    );
  else if (lists.length === 0)
    add(
      "no_list",
      "The page shows no list. Check the address, or add steps that lead to the list, such as a search.",
    );
  return warnings;
}
