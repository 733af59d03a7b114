import type { Inspection, InspectionRequest } from "../../functions/contract/inspection.ts";
import type { Pagination, ScraperDefinition } from "../../functions/contract/scraper.ts";
import { draftDefinition, isPaginationProved } from "../../functions/inspections/draft-definition.ts";

type List = NonNullable<Inspection["lists"]>[number];
/** Sends POST /v1/inspections and returns the response. */
export type AskInspection = (request: Partial<InspectionRequest>) => Promise<Inspection>;

export interface NewScraperOptions {
  url: string;
  inspect: AskInspection;
  /** Chooses one of the lists that the inspection of the page proposes. Returns undefined for none of them. */
  choose: (lists: readonly List[], page: Inspection) => Promise<List | undefined>;
}

export interface Rejected {
  pagination: Pagination;
  failure: string | null;
}

export type NewScraper =
  | {
      outcome: "drafted";
      definition: ScraperDefinition;
      /** The inspection that tested the definition. */
      proof: Inspection;
      /** Paginations that did not work, with the error message; null if page 2 had no new rows. */
      rejected: Rejected[];
    }
  /** The page could not be opened, or a list could not be read. */
  | { outcome: "failed"; inspection: Inspection }
  | { outcome: "no_list"; inspection: Inspection }
  | { outcome: "none_chosen" };

/** The pagination to try last, unless it is already among the proposals. */
const SCROLLING = { type: "infinite_scroll" } as const;

/**
 * Creates a definition from an address: inspects the page, lets `choose` pick a list, and tries each pagination until
 * one leads to a second page with new rows. If none does, the definition has no pagination.
 */
export async function newScraper({ url, inspect, choose }: NewScraperOptions): Promise<NewScraper> {
  const inspection = await inspect({ url, want: ["lists", "pagination"] });
  if (!inspection.ok) return { outcome: "failed", inspection };
  const { lists, pagination } = inspection;
  if (!lists || lists.length === 0) return { outcome: "no_list", inspection };
  const list = await choose(lists, inspection);
  if (list === undefined) return { outcome: "none_chosen" };
  const rejected: Rejected[] = [];
  const controls = (pagination ?? []).map((proposal) => proposal.pagination);
  const isProposed = controls.some(({ type }) => type === SCROLLING.type);
  for (const way of isProposed ? controls : [...controls, SCROLLING]) {
    const definition = draftDefinition(url, inspection, { list, pagination: way });
    const proof = await inspect({ definition, pages: 2, want: ["rows"] });
    if (isPaginationProved(proof)) return { outcome: "drafted", definition, proof, rejected };
    rejected.push({ pagination: way, failure: proof.error?.message ?? null });
  }
  const definition = draftDefinition(url, inspection, { list });
  const proof = await inspect({ definition, pages: 1, want: ["rows"] });
  return proof.ok
    ? { outcome: "drafted", definition, proof, rejected }
    : { outcome: "failed", inspection: proof };
}
