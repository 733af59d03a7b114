import { type Signal, signal } from "@preact/signals";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import {
  type ChosenPagination,
  choosePagination,
  paginationsToTry,
} from "../../../functions/inspections/choose-pagination.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { fieldOf, isStepOf, type ListStep, listOf, NO_PAGES, withList } from "./definition.ts";
import { type Check, type Proof, proofOf } from "./findings.ts";
import { checkedDefinition, uncheckedSession } from "./inspected-definition.ts";
import { LatestInspection } from "./latest-inspection.ts";

/** A definition with the pagination that another one has, and with the key of its list. */
export function withPages(definition: Definition, found: Definition): Definition {
  const [list, key] = [listOf(definition), listOf(found)?.key];
  const next = list && key && !list.key ? withList(definition, { ...list, key }) : definition;
  return { ...next, pagination: found.pagination ?? NO_PAGES };
}

/** Whether only a few rows are tried: the engine opens a page for each of them, or performs steps. */
const isSlow = (list: ListStep | undefined): boolean => (list?.details ?? list?.each) !== undefined;

/** Reads the rows of the recorded list, and finds or tests its pagination. */
export class RowReader {
  /** The last rows that were read. */
  readonly check = signal<Check | undefined>(undefined);
  /** The results of tried paginations. The keys are the paginations as JSON. */
  readonly proofs = signal<ReadonlyMap<string, Proof>>(new Map());
  readonly checking = new LatestInspection();
  /** Who has chosen the pagination; undefined if it is still to be found. */
  pagesBy: "user" | "search" | undefined;
  readonly #definition: Signal<Definition | undefined>;
  readonly #look: Signal<Inspection | undefined>;

  /** @param look the last inspection of the page that the list is read from */
  constructor(definition: Signal<Definition | undefined>, look: Signal<Inspection | undefined>) {
    this.#definition = definition;
    this.#look = look;
  }

  forget(): void {
    this.checking.stop();
    this.checking.error.value = undefined;
    this.check.value = undefined;
    this.proofs.value = new Map();
  }

  /** Reads the rows. If nobody has chosen a pagination, looks for one; else tests it, if there is one. */
  async read(): Promise<void> {
    const { value } = this.#definition;
    if (value === undefined || listOf(value) === undefined) {
      this.check.value = undefined;
      return;
    }
    const { pagination = NO_PAGES } = value;
    if (isSlow(listOf(value))) await this.#ask(value, 1);
    else if (this.pagesBy === undefined) await this.#findPages(value);
    else if (pagination.type === "none") await this.#ask(value, 1);
    else await this.search(value, [pagination]);
  }

  /** Tries what the page has to reach further rows, and takes the first pagination that brings some. */
  async #findPages(definition: Definition): Promise<void> {
    const chosen = await this.search(definition, paginationsToTry(this.#look.value?.pagination ?? null));
    const now = this.#definition.value;
    // The user may have chosen a pagination meanwhile.
    if (chosen === undefined || now === undefined || this.pagesBy !== undefined) return;
    this.pagesBy = "search";
    this.#definition.value = withPages(now, chosen.definition);
    if (this.check.value === undefined) await this.#ask(this.#definition.value, 1);
  }

  /** Tries paginations. Undefined if another inspection has replaced one of the search. */
  async search(
    definition: Definition,
    paginations: readonly Pagination[],
  ): Promise<ChosenPagination<Definition> | undefined> {
    return choosePagination(definition, paginations, async (tried, pages) => {
      const found = await this.#ask(tried, pages);
      if (found === undefined) return undefined;
      const key = JSON.stringify(tried.pagination);
      this.proofs.value = new Map(this.proofs.value).set(key, proofOf(found));
      return found;
    });
  }

  async #ask(definition: Definition, pages: 1 | 2 | 3): Promise<Inspection | undefined> {
    const step = listOf(definition);
    const proposed = this.#look.value?.lists?.find((each) => isStepOf(step, each));
    const fields = (step?.json ? proposed?.from_json : proposed)?.fields ?? [];
    const asked = checkedDefinition(definition, fields.map(fieldOf));
    const list = listOf(asked);
    if (list === undefined) return undefined;
    const text =
      pages === 1 ? "Reading the list" : `Reading ${pages === 2 ? "two" : "three"} pages of the list`;
    const rows_limit = isSlow(list) && pages === 1 ? 3 : 50;
    const found = await this.checking.ask(
      { definition: asked, ...uncheckedSession(definition), pages, rows_limit, want: ["rows"] },
      text,
    );
    if (found === undefined) return undefined;
    // Two pages are read without details, and a pagination may fail: then the earlier, more complete rows are kept.
    const isLess = pages > 1 && (isSlow(list) || !found.ok);
    if (!isLess || this.check.value === undefined) this.check.value = { list, inspection: found };
    return found;
  }
}
