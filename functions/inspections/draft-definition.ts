import type { Inspection } from "../contract/inspections/inspection.ts";
import type { ScraperDefinition } from "../contract/scrapers/scraper.ts";
import type { StepOf } from "../contract/steps/steps.ts";

type Proposed = Pick<Inspection, "page" | "consent">;
type List = NonNullable<Inspection["lists"]>[number];
type JsonList = NonNullable<List["from_json"]>;

/** The proposed list that a person or a client has chosen. */
export interface Choice {
  list: List;
  /** The number of the list among those that are proposed, from 1. */
  number: number;
  /** Whether its rows are read from the JSON that the page carries, if that has been proposed. */
  isJson?: boolean | undefined;
}

/** Fields with texts first, then addresses and images. */
export const inReadingOrder = <T extends { kind: string }>(fields: readonly T[]): T[] => {
  const [texts, others] = [fields.filter(isRead), fields.filter((field) => !isRead(field))];
  return [...texts, ...others];
};
/** Whether people read the values of a field. */
const isRead = ({ kind }: { kind: string }) => kind !== "url" && kind !== "image";

const NAME_MAX = 200;

/** A name for a scraper of a list: the title of the page, or its host. Further lists of the page add their number. */
export function nameFor(url: string, page: Inspection["page"], number: number): string {
  const title = page?.title.trim() || (URL.parse(url)?.hostname ?? url);
  const suffix = number > 1 ? `, list ${number}` : "";
  return title.slice(0, NAME_MAX - suffix.length) + suffix;
}

/** The step that reads the rows of a proposed list of JSON. */
export const jsonStepOf = ({ json, fields }: JsonList): StepOf<"get_list"> => ({
  type: "get_list",
  json,
  fields: fields.map(({ name, path, all }) => ({ name, path, ...(all && { all }) })),
});

/** The step that reads the rows of a proposed list of elements. */
const elementStepOf = ({ selector, frame, fields }: List): StepOf<"get_list"> => ({
  type: "get_list",
  selector,
  ...(frame && { frame }),
  fields: inReadingOrder(fields).map(({ name, selector, attribute }) => ({
    name,
    ...(selector !== undefined && { selector }),
    ...(attribute !== undefined && { attribute }),
  })),
});

/** Makes a definition that reads a list that an inspection of `url` has proposed. Its list has one page. */
export function draftDefinition(
  url: string,
  { page, consent }: Proposed,
  { list, number, isJson }: Choice,
): ScraperDefinition {
  return {
    name: nameFor(url, page, number),
    steps: [
      { type: "visit", url },
      ...(consent ? [consent] : []),
      isJson && list.from_json ? jsonStepOf(list.from_json) : elementStepOf(list),
    ],
    pagination: { type: "none" },
    schedule: null,
    proxy: { type: "none" },
    webhook_url: null,
  };
}

/** Whether an inspection read several pages of a list, and each page after the first one had new rows. */
export const isPaginationProved = ({ ok, pages }: Pick<Inspection, "ok" | "pages">): boolean =>
  ok && pages.length > 1 && pages.slice(1).every(({ new_rows }) => new_rows > 0);
