import type { Inspection, InspectionRequest } from "../../functions/contract/inspection.ts";
import type { ScraperDefinition } from "../../functions/contract/scraper.ts";
import {
  choosePagination,
  paginationsToTry,
  type Rejected,
} from "../../functions/inspections/choose-pagination.ts";
import { draftDefinition } from "../../functions/inspections/draft-definition.ts";

type List = NonNullable<Inspection["lists"]>[number];
/** Sends POST /v1/inspections and returns the response. */
export type AskInspection = (request: Partial<InspectionRequest>) => Promise<Inspection>;

export interface NewScraperOptions {
  url: string;
  inspect: AskInspection;
  /** Chooses one of the lists that the inspection of the page proposes. Returns undefined for none of them. */
  choose: (lists: readonly List[], page: Inspection) => Promise<List | undefined>;
}

export type NewScraper =
  | {
      outcome: "drafted";
      definition: ScraperDefinition;
      /** The inspection that tested the definition. */
      proof: Inspection;
      /** Paginations that did not work. */
      rejected: Rejected[];
    }
  /** The page could not be opened, or a list could not be read. */
  | { outcome: "failed"; inspection: Inspection }
  | { outcome: "no_list"; inspection: Inspection }
  | { outcome: "none_chosen" };

/**
 * Creates a definition from an address: inspects the page, lets `choose` pick a list, and tries each pagination until
 * one leads to new rows. If none does, the definition has no pagination.
 */
export async function newScraper({ url, inspect, choose }: NewScraperOptions): Promise<NewScraper> {
  const inspection = await inspect({ url, want: ["lists", "pagination"] });
  if (!inspection.ok) return { outcome: "failed", inspection };
  const { lists, pagination } = inspection;
  if (!lists || lists.length === 0) return { outcome: "no_list", inspection };
  const list = await choose(lists, inspection);
  if (list === undefined) return { outcome: "none_chosen" };
  const chosen = await choosePagination(
    draftDefinition(url, inspection, { list, number: lists.indexOf(list) + 1 }),
    paginationsToTry(pagination),
    (definition, pages) => inspect({ definition, pages, want: ["rows"] }),
  );
  const { definition, rejected } = chosen;
  const proof = chosen.proof ?? (await inspect({ definition, pages: 1, want: ["rows"] }));
  return proof.ok
    ? { outcome: "drafted", definition, proof, rejected }
    : { outcome: "failed", inspection: proof };
}
