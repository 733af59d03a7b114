import * as v from "valibot";
import type { Inspection } from "../../contract/inspections/inspection.ts";
import { limitedList } from "../../contract/limited-list.ts";
import type { Pagination, ScraperDefinition } from "../../contract/scrapers/scraper.ts";
import { SessionName } from "../../contract/sessions/session.ts";
import { HttpUrl } from "../../contract/steps/action-steps.ts";
import type { Step } from "../../contract/steps/steps.ts";
import { choosePagination, paginationsToTry } from "../../inspections/choose-pagination.ts";
import { draftDefinition } from "../../inspections/draft-definition.ts";
import { sessionCheckOf } from "../../inspections/session-check.ts";
import { counted, roomFor, shortened } from "../answer.ts";
import { type CallApi, jsonOf } from "../api-client.ts";
import { defineTool, whole } from "../tool.ts";

type List = NonNullable<Inspection["lists"]>[number];

const PROPOSED_LISTS = 5;
/** No pagination is tried later than this. With an inspection of a minute, the call ends before its client gives up. */
const TRY_UNTIL_MS = 30_000;

export const inspectPage = defineTool({
  name: "inspect_page",
  scope: "write",
  title: "Inspect a page",
  description:
    "Opens a page in a fresh browser context and proposes what to extract: lists with their fields and sample values, " +
    "forms, and a draft of a scraper definition for one of the lists. Tries the paginations that it finds, and puts the " +
    "first that brings new rows into the draft. Takes up to a minute and costs one credit for each page loaded. Stores " +
    "nothing in Gleaner, but `steps` can change things on the site: they press buttons and submit forms.",
  // The steps can press buttons and submit forms.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: v.strictObject({
    url: v.pipe(HttpUrl, v.description("Address of the page.")),
    steps: v.optional(
      v.pipe(
        limitedList(v.array(v.record(v.string(), v.unknown())), 100, "must have at most 100 steps"),
        v.description(
          "Steps to do on the page before looking at it, such as a search. They are like those of a definition: see check_scraper.",
        ),
      ),
      [],
    ),
    session: v.optional(
      v.pipe(
        SessionName,
        v.description(
          'The name of a kept sign-in to begin with, for pages behind a login. The draft has it, too, if the page shows a control that signs out. Otherwise, add it with what only a signed-in visitor sees: "session": {"name": "…", "check": {"text": "…"}}.',
        ),
      ),
    ),
    list: v.optional(
      whole(
        1,
        PROPOSED_LISTS,
        "Show only the proposed list with this number, with a draft for it. By default, all lists are shown, and the draft is for the first.",
      ),
    ),
    screenshot: v.optional(
      v.pipe(v.boolean(), v.description("Whether to add a picture of the page.")),
      false,
    ),
  }),
  async run(call, { url, steps, session, list: wanted, screenshot }) {
    const tryUntil = Date.now() + TRY_UNTIL_MS;
    const inspect = inspectionBy(call, session);
    const before = [{ type: "visit", url }, ...steps] as Step[];
    const inspection = await inspect({
      ...(steps.length === 0 ? { url } : { definition: { name: "Inspection", steps: before } }),
      want: [
        ...["lists", "pagination", "forms"],
        ...(session === undefined ? [] : ["map"]),
        ...(screenshot ? ["screenshot"] : []),
      ],
    });
    const number = wanted ?? 1;
    const list = inspection.lists?.[number - 1];
    const drafted =
      inspection.ok && list
        ? await draftOf({ url, before, session, inspection, list, number }, inspect, tryUntil)
        : undefined;
    const summary = summaryOf(inspection, wanted, drafted);
    return {
      summary,
      data: describe(inspection, { drafted, wanted }, roomFor(summary)),
      image: inspection.screenshot ?? undefined,
    };
  },
});

type Inspect = (body: object) => Promise<Inspection>;

const inspectionBy =
  (call: CallApi, session: string | undefined): Inspect =>
  (body) =>
    jsonOf<Inspection>(
      call("/v1/inspections", { method: "POST", body: { ...body, ...(session && { session }) } }),
    );

function summaryOf(
  { ok, error, lists }: Inspection,
  wanted: number | undefined,
  drafted: Drafted | undefined,
): string {
  if (!ok)
    return `Step ${error?.step ?? 0} failed (${error?.code}). The data has the reason: correct the address or the steps.`;
  const count = lists?.length ?? 0;
  if (count === 0)
    return 'The page shows no list. `page.fields` has the values that it states about itself, for the details of a list that leads to it. See `warnings` and `forms`: check the address, or add `steps` that lead to the list. For a list that appears late, add the step {"type": "wait", "value": 3000}.';
  if (wanted !== undefined && wanted > count)
    return `The page has only ${counted(count, "proposed list")}. Call inspect_page without \`list\` to see them.`;
  return (
    `Found ${counted(count, "list")}, best first. Choose the one that has what the user wants, change the \`draft\`, and ` +
    `check it with check_scraper. ${verdictOf(drafted)}${lists?.some(({ from_json }) => from_json) ? FROM_JSON : ""}`
  );
}

const FROM_JSON =
  " A list with `from_json` is also in JSON that the page carries, with more fields. To read that, give its get_list step the `json` and the `fields` (name, path, all) of `from_json` in place of `selector` and `fields`. `differences` has values that the page shows otherwise.";

function verdictOf(drafted: Drafted | undefined): string {
  if (drafted === undefined) return "";
  const { newRows, isSearched } = drafted;
  if (newRows !== undefined)
    return `The pagination of the draft was tried: page 2 brought ${counted(newRows, "new row")}.`;
  if (isSearched) return "No pagination brought new rows, so the draft reads one page.";
  return "The page is too slow to try all its paginations, so the draft reads one page: try those of `pagination` with check_scraper.";
}

interface Asked {
  drafted: Drafted | undefined;
  /** Number of the list to show. */
  wanted: number | undefined;
}

/** How much of an inspection an answer contains. */
interface Detail {
  /** Samples of each field. */
  samples: number;
  /** Characters of each sample. */
  sampleLength: number;
  lists: number;
  forms: number;
}

/** Tried one after another until the answer fits. */
const details: Detail[] = [
  { samples: 3, sampleLength: 100, lists: PROPOSED_LISTS, forms: 40 },
  { samples: 1, sampleLength: 60, lists: PROPOSED_LISTS, forms: 5 },
  { samples: 1, sampleLength: 40, lists: 1, forms: 0 },
];

function describe(inspection: Inspection, asked: Asked, room: number): string {
  const texts = details.map((detail) => JSON.stringify(shown(inspection, asked, detail)));
  return (
    texts.find((text) => text.length <= room) ??
    JSON.stringify({ omitted: ["Everything, because it is too long. Inspect another page."] })
  );
}

function shown(inspection: Inspection, { drafted, wanted }: Asked, detail: Detail): object {
  const { page, pagination, consent, warnings, error, credits_used } = inspection;
  const all = (inspection.lists ?? []).map((list, index) => ({ number: index + 1, list }));
  const asked = wanted === undefined ? all : all.filter(({ number }) => number === wanted);
  const lists = asked.slice(0, detail.lists);
  const forms = (inspection.forms ?? []).slice(0, detail.forms);
  const omitted = [
    ...(lists.length < asked.length
      ? [`Lists ${lists.length + 1} to ${asked.length}: call again with \`list\` to see one of them.`]
      : []),
    ...(forms.length < (inspection.forms?.length ?? 0) ? ["Some of the forms."] : []),
  ];
  return {
    ...(error && { error: { ...error, message: shortened(error.message, 1_000) } }),
    page: page && {
      url: shortened(page.url, 500),
      title: shortened(page.title, 200),
      ...(page.fields && { fields: page.fields }),
    },
    ...(drafted && { draft: drafted.draft }),
    lists: lists.map(({ number, list }) => describeList(number, list, detail)),
    pagination,
    consent,
    forms,
    warnings: warnings.map((warning) => ({ ...warning, message: shortened(warning.message, 500) })),
    credits_used,
    ...(omitted.length > 0 && { omitted }),
  };
}

/** The fields have a name, a selector and an attribute, as those of a get_list step. */
const describeList = (
  number: number,
  { selector, count, fields, from_json: json }: List,
  detail: Detail,
) => ({
  list: number,
  rows: count,
  selector,
  fields: describeFields(fields, detail),
  ...(json && {
    from_json: {
      rows: json.count,
      matched: json.matched,
      json: json.json,
      fields: describeFields(json.fields, detail),
      differences: json.differences.map(({ shown, in_json, ...difference }) => ({
        ...difference,
        shown: shortened(shown, detail.sampleLength),
        in_json: shortened(in_json, detail.sampleLength),
      })),
    },
  }),
});

const describeFields = <T extends { kind: string; filled: number; distinct: number; samples: string[] }>(
  fields: readonly T[],
  detail: Detail,
) =>
  fields.map(({ samples, filled, kind, distinct: _, ...field }) => ({
    ...field,
    kind,
    filled,
    samples: samples.slice(0, detail.samples).map((sample) => shortened(sample, detail.sampleLength)),
  }));

interface Drafted {
  draft: Pick<ScraperDefinition, "name" | "steps" | "session"> & { pagination: Pagination };
  /** How many rows page 2 brought; undefined if the draft has no pagination. */
  newRows: number | undefined;
  /** Whether there was enough time to try all paginations. */
  isSearched: boolean;
}

interface ToDraft {
  url: string;
  before: Step[];
  /** The name of the session that the inspection has begun with. */
  session: string | undefined;
  inspection: Inspection;
  list: List;
  /** The number of the list. */
  number: number;
}

/** A definition that reads a list with the pagination that brings new rows, without settings that have default values. */
async function draftOf(
  { url, before, session, inspection, list, number }: ToDraft,
  inspect: Inspect,
  tryUntil: number,
): Promise<Drafted> {
  const { name, steps, pagination } = draftDefinition(url, inspection, { list, number });
  const check = sessionCheckOf(inspection);
  const draft = {
    name,
    steps: [...before, ...steps.slice(1)],
    pagination,
    ...(session !== undefined && check && { session: { name: session, check } }),
  };
  const chosen = await choosePagination(
    draft,
    paginationsToTry(inspection.pagination),
    async (definition, pages) =>
      Date.now() < tryUntil ? inspect({ definition, pages, want: ["rows"] }) : undefined,
  );
  return {
    draft: chosen?.definition ?? draft,
    newRows: chosen?.proof?.pages[1]?.new_rows,
    isSearched: chosen !== undefined,
  };
}
