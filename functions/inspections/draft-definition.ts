import type { Inspection } from "../contract/inspection.ts";
import type { Pagination, ScraperDefinition } from "../contract/scraper.ts";

type Proposed = Pick<Inspection, "page" | "consent">;
type List = NonNullable<Inspection["lists"]>[number];

/** The proposed list and the pagination that a person or a client has chosen. */
export interface Choice {
  list: List;
  /** Absent: the list has one page. */
  pagination?: Pagination | undefined;
}

/** Fields with texts first, then addresses and images. */
export const inReadingOrder = <T extends { kind: string }>(fields: readonly T[]): T[] => {
  const [texts, others] = [fields.filter(isRead), fields.filter((field) => !isRead(field))];
  return [...texts, ...others];
};
/** Whether people read the values of a field. */
const isRead = ({ kind }: { kind: string }) => kind !== "url" && kind !== "image";

/** Makes a definition that reads a list that an inspection of `url` has proposed. */
export function draftDefinition(
  url: string,
  { page, consent }: Proposed,
  { list, pagination }: Choice,
): ScraperDefinition {
  return {
    name: (page?.title.trim() || new URL(url).hostname).slice(0, 200),
    steps: [
      { type: "visit", url },
      ...(consent ? [consent] : []),
      {
        type: "get_list",
        selector: list.selector,
        fields: inReadingOrder(list.fields).map(({ name, selector, attribute }) => ({
          name,
          ...(selector !== undefined && { selector }),
          ...(attribute !== undefined && { attribute }),
        })),
      },
    ],
    pagination: pagination ?? { type: "none" },
    schedule: null,
    proxy: { type: "none" },
    webhook_url: null,
  };
}

/** Whether an inspection read several pages of a list, and each page after the first one had new rows. */
export const isPaginationProved = ({ ok, pages }: Pick<Inspection, "ok" | "pages">): boolean =>
  ok && pages.length > 1 && pages.slice(1).every(({ new_rows }) => new_rows > 0);
