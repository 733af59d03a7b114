import type { Inspection } from "../contract/inspection.ts";
import type { Pagination, ScraperDefinition } from "../contract/scraper.ts";

type Proposed = Pick<Inspection, "page" | "consent">;
type List = NonNullable<Inspection["lists"]>[number];

export interface Choice {
  list: List;
  /** Absent: the list has one page. */
  pagination?: Pagination | undefined;
}

/** Addresses and images come after texts. */
export const inReadingOrder = <T extends { kind: string }>(fields: readonly T[]): T[] => {
  const [texts, others] = [fields.filter(isRead), fields.filter((field) => !isRead(field))];
  return [...texts, ...others];
};
const isRead = ({ kind }: { kind: string }) => kind !== "url" && kind !== "image";

/** A definition that reads a list that an inspection of an address has proposed. */
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
    rows_limit: 1_000,
    schedule: null,
    proxy: { type: "none" },
    webhook_url: null,
  };
}

/** Whether the second page of a list brought rows that the first one had not. */
export const isPaginationProved = ({ ok, pages }: Pick<Inspection, "ok" | "pages">): boolean =>
  ok && pages.length > 1 && pages.slice(1).every(({ new_rows }) => new_rows > 0);
