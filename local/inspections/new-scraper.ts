import type { Inspection, InspectionRequest } from "../../functions/contract/inspections/inspection.ts";
import type { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { SessionSettings } from "../../functions/contract/sessions/session.ts";
import {
  choosePagination,
  paginationsToTry,
  type Rejected,
} from "../../functions/inspections/choose-pagination.ts";
import { type Choice, draftDefinition } from "../../functions/inspections/draft-definition.ts";
import { sessionCheckOf } from "../../functions/inspections/session-check.ts";

type List = NonNullable<Inspection["lists"]>[number];
export type ChosenList = Omit<Choice, "number">;
/** Sends POST /v1/inspections and returns the response. */
export type AskInspection = (request: Partial<InspectionRequest>) => Promise<Inspection>;

export interface NewScraperOptions {
  url: string;
  /** The kept sign-in to begin with. Without a check, the page must show a control that signs out. */
  session?: Pick<SessionSettings, "name"> & Partial<Pick<SessionSettings, "check">>;
  inspect: AskInspection;
  /** Chooses one of the lists that the inspection of the page proposes. Returns undefined for none of them. */
  choose: (lists: readonly List[], page: Inspection) => Promise<ChosenList | undefined>;
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
  /** The page shows nothing that tells whether the visitor is signed in. */
  | { outcome: "no_check" }
  | { outcome: "none_chosen" };

/**
 * Creates a definition from an address: inspects the page, lets `choose` pick a list, and tries each pagination until
 * one leads to new rows. If none does, the definition has no pagination.
 */
export async function newScraper({ url, session, inspect, choose }: NewScraperOptions): Promise<NewScraper> {
  const isCheckUnknown = session !== undefined && session.check === undefined;
  const inspection = await inspect({
    url,
    ...(session && { session: session.name }),
    want: ["lists", "pagination", ...(isCheckUnknown ? (["map"] as const) : [])],
  });
  if (!inspection.ok) return { outcome: "failed", inspection };
  const { lists, pagination } = inspection;
  if (!lists || lists.length === 0) return { outcome: "no_list", inspection };
  const check = session?.check ?? sessionCheckOf(inspection);
  if (session && check === undefined) return { outcome: "no_check" };
  const choice = await choose(lists, inspection);
  if (choice === undefined) return { outcome: "none_chosen" };
  const draft = draftDefinition(url, inspection, { ...choice, number: lists.indexOf(choice.list) + 1 });
  const chosen = await choosePagination(
    session && check ? { ...draft, session: { name: session.name, check } } : draft,
    paginationsToTry(pagination),
    (definition, pages) => inspect({ definition, pages, want: ["rows"] }),
  );
  const { definition, rejected } = chosen;
  const proof = chosen.proof ?? (await inspect({ definition, pages: 1, want: ["rows"] }));
  return proof.ok
    ? { outcome: "drafted", definition, proof, rejected }
    : { outcome: "failed", inspection: proof };
}
