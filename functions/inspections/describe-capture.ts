import type { Inspection, InspectionPart } from "../contract/inspections/inspection.ts";
import type { RunWarning } from "../contract/runs/run.ts";
import { documentsOf, FRAME_SHARE } from "../proposals/documents.ts";
import { elementMap } from "../proposals/element-map.ts";
import { handlesOf } from "../proposals/handles.ts";
import { type Proposals, propose } from "../proposals/propose.ts";
import type { Snapshot } from "../proposals/snapshot.ts";
import { absolute } from "../proposals/tree.ts";
import type { PageCapture } from "../scraping/page/pictures/capture.ts";
import type { InspectionTask } from "./task.ts";

type Described = Pick<
  Inspection,
  "page" | "lists" | "pagination" | "forms" | "consent" | "map" | "screenshot" | "warnings"
>;

/** Most lists in menus, footers and forms have a lower score. */
const WEAK_SCORE = 1_000;
/** The number of characters at the beginning of the page that are searched for a refusal. */
const TEXT_MAX = 5_000;
/** Texts of pages that refuse automated visitors with status 200. */
const REFUSAL =
  /just a moment|attention required|verify (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)|not a robot|unusual traffic|checking your browser|access denied|captcha/i;

const OF_SECRETS: Record<NonNullable<PageCapture["secrets"]>, RunWarning> = {
  covered: {
    code: "screenshot_covered",
    message:
      "A step has filled in a secret, so the picture has dots in the places of secrets, and no images.",
    step: null,
  },
  hidden: {
    code: "screenshot_hidden",
    message:
      "There is no picture, because a step has filled in a secret, and Gleaner can't be sure that it covers the secret on this page. The texts of the page are there, without the secret.",
    step: null,
  },
};

/** Describes the page at the end of the steps. Parts that were not requested are null. */
export function describeCapture(
  capture: PageCapture | undefined,
  { want, like }: Pick<InspectionTask, "want" | "like">,
  { hasRows, isOk }: { hasRows: boolean; isOk: boolean },
): Described {
  if (!capture)
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
  const snapshot: Snapshot = JSON.parse(capture.snapshot);
  const { screenshot } = capture;
  const wants = (part: InspectionPart) => want.includes(part);
  const { lists, pagination, forms, consent, pageFields } = propose(snapshot, like, wants("map"));
  const documents = wants("map") ? documentsOf(snapshot) : undefined;
  return {
    page: {
      url: snapshot.url,
      title: snapshot.title,
      width: snapshot.width,
      height: snapshot.height,
      ...(wants("lists") && { fields: pageFields }),
      language: languageOf(snapshot),
    },
    lists: wants("lists")
      ? lists.map(({ rows, cells, sampleRows, others, isMain: _, fromJson, ...list }) => ({
          type: "get_list" as const,
          ...list,
          sample_rows: sampleRows,
          ...(fromJson && { from_json: fromJson }),
          ...(documents && {
            row_refs: rows,
            cell_refs: cells,
            other_fields: others.fields,
            other_cell_refs: others.cells,
          }),
        }))
      : null,
    pagination: wants("pagination") ? (lists.length === 0 ? [] : paginationsOf(pagination)) : null,
    forms: wants("forms") ? forms : null,
    consent,
    map: documents
      ? {
          elements: elementMap(documents),
          handles: documents.flatMap((document) => handlesOf(document, wants("lists") ? lists : [])),
          frames: documents.flatMap(({ frame, first }) => (frame.length > 0 ? { from: first, frame } : [])),
        }
      : null,
    screenshot: screenshot ? Buffer.from(screenshot).toString("base64") : null,
    warnings: [
      ...(wants("lists") ? tooLarge(snapshot) : []),
      ...(capture.secrets ? [OF_SECRETS[capture.secrets]] : []),
      // If the steps have read rows, or have failed, these say more about the page than warnings.
      ...(hasRows || !isOk ? [] : like ? noneLike(lists) : warningsOf(snapshot, lists, forms)),
    ],
  };
}

/** The language that the page states for its content. */
const languageOf = ({ elements }: Snapshot): string | null =>
  elements.find(({ tag, attributes }) => tag === "body" && attributes?.lang)?.attributes?.lang ??
  (elements[0]?.attributes?.lang || null);

/** The proposed paginations, or else infinite scroll, because only a try can show whether scrolling adds rows. */
const paginationsOf = (found: Proposals["pagination"]): NonNullable<Inspection["pagination"]> =>
  found.length > 0
    ? found.map(({ isSure, elements: _, ...proposal }) => ({ ...proposal, is_sure: isSure }))
    : [{ pagination: { type: "infinite_scroll" }, score: 0, is_sure: false }];

function tooLarge({ elements, omitted }: Snapshot): RunWarning[] {
  if (omitted === 0) return [];
  const message = `The page has more than ${elements.length} elements. Proposals are made from the first ones.`;
  return [{ code: "page_too_large", message, step: null, count: omitted }];
}

const noneLike = ({ length }: Proposals["lists"]): RunWarning[] => {
  const message =
    "No list of the page has these elements in rows of their own. Choose others, such as the titles of two rows.";
  return length > 0 ? [] : [{ code: "no_list", message, step: null }];
};

/** Warns if the page is probably not the wanted one, and says what to do. */
function warningsOf(snapshot: Snapshot, lists: Proposals["lists"], forms: Proposals["forms"]): RunWarning[] {
  const warn = (code: string, message: string) => [{ code, message, step: null }];
  const view = snapshot.width * snapshot.viewHeight;
  // People rarely open a page for a list in its menu or footer.
  const [best] = lists;
  if (best?.isMain && best.score > WEAK_SCORE) {
    if (!isProse(best)) return [];
    return warn(
      "no_main_list",
      `The page is probably a text, not a list: the most likely list has ${best.count} rows, which are paragraphs. Check the address, or add steps that lead to the list.`,
    );
  }
  const frame = snapshot.elements.find(
    ({ tag, box: [, , width, height] }) => /^i?frame$/.test(tag) && width * height > view * FRAME_SHARE,
  );
  if (frame && !best?.frame) {
    const address = absolute(frame.attributes?.src, snapshot.base)?.href;
    return warn(
      "content_in_frame",
      `Most of the page is a frame, in which no list was found. Inspect the address of the frame instead${address ? `: ${address}` : ""}.`,
    );
  }
  if (forms.some(({ kind }) => kind === "login"))
    return warn(
      "sign_in_required",
      "The page asks to sign in. Add steps that do so, with a secret for the password.",
    );
  const text = textOf(snapshot);
  if (REFUSAL.test(text))
    return warn(
      "visit_refused",
      "The page asks for a proof that a person visits it, or refuses the visit. Try again later, or through a proxy.",
    );
  if (best?.isMain) return [];
  if (best)
    return warn(
      "no_main_list",
      "No main list was found: the most likely list is part of the navigation, a header, a footer, a sidebar or a dialog. Check the address, such as the words of its search, or add steps that lead to the list.",
    );
  return text === ""
    ? warn("no_list", "The page is empty. Check the address in a browser of your own.")
    : warn(
        "no_list",
        "The page shows no list. Check the address, or add steps that lead to the list, such as a search.",
      );
}

/** More rows are a list, whatever their texts. */
const PROSE_ROWS = 3;
/** The least length of a paragraph, in characters. */
const PARAGRAPH = 80;

/** Whether the rows of a list are rather the parts of a text: two or three paragraphs with headings and links. */
const isProse = ({ count, fields }: Proposals["lists"][number]): boolean =>
  count <= PROSE_ROWS &&
  fields.every(({ kind }) => kind === "text" || kind === "url") &&
  fields.some(({ kind, samples }) => kind === "text" && samples.every(({ length }) => length >= PARAGRAPH));

/** The title and the beginning of the text of the page. */
const textOf = ({ title, elements }: Snapshot): string =>
  [title, ...elements.flatMap(({ texts = [] }) => texts.map(([, text]) => text))]
    .join(" ")
    .trim()
    .slice(0, TEXT_MAX);
