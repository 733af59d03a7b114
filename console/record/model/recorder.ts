import { computed, signal } from "@preact/signals";
import type { Pagination } from "../../../functions/contract/scraper.ts";
import type { Step } from "../../../functions/contract/steps.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import {
  addressOf,
  fieldOf,
  isSame,
  type List,
  listIndexOf,
  listOf,
  NO_PAGES,
  newDefinition,
  pathOf,
  withChosen,
  withStep,
} from "./definition.ts";
import { type Check, isRead, type Proof, proofOf } from "./findings.ts";
import { checkedDefinition, pathDefinition, WANTED } from "./inspected-definition.ts";
import { LatestInspection } from "./latest-inspection.ts";
import { PageMap } from "./page-map.ts";

/** The state of a recording: the definition, the page that its steps lead to, and the rows that it reads. */
export class Recorder {
  readonly definition = signal<Definition | undefined>(undefined);
  readonly #past = signal<readonly Definition[]>([]);
  /** The last inspection of the page that the list is read from. */
  readonly look = signal<Inspection | undefined>(undefined);
  /** The last rows that were read. */
  readonly check = signal<Check | undefined>(undefined);
  /** The results of tried paginations. The keys are the paginations as JSON. */
  readonly proofs = signal<ReadonlyMap<string, Proof>>(new Map());
  /** A message for the user, such as why a click had no effect. */
  readonly hint = signal<string | undefined>(undefined);
  readonly looking = new LatestInspection();
  readonly checking = new LatestInspection();
  #isSettled: Promise<void> = Promise.resolve();
  /** Whether the definition belongs to a stored scraper. Then proposals do not replace its list. */
  #isStored = false;

  /** The detail page of the first row, while the user picks values from it. */
  readonly detail = signal<Inspection | undefined>(undefined);
  /** The page that the user sees: the detail page if one is open, or else the page of the list. */
  readonly shown = computed(() => this.detail.value ?? this.look.value);
  readonly map = computed(() => this.shown.value && new PageMap(this.shown.value));
  readonly lists = computed<readonly List[]>(() => this.look.value?.lists ?? []);
  readonly list = computed(() => this.definition.value && listOf(this.definition.value));
  /** The index of the proposed list that is recorded; -1 if none of them is. */
  readonly chosen = computed(() =>
    this.lists.value.findIndex(({ selector }) => selector === this.list.value?.selector),
  );
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly isBusy = computed(() => (this.looking.work.value ?? this.checking.work.value) !== undefined);

  /** Starts a new recording with the address of a page. */
  async open(url: string): Promise<void> {
    this.#past.value = [];
    this.#isStored = false;
    this.look.value = undefined;
    this.#forgetRows();
    this.definition.value = newDefinition(url);
    await this.#settle(this.#see());
  }

  /** Starts with the definition of a stored scraper. */
  async load(definition: Definition): Promise<void> {
    this.#past.value = [];
    this.#isStored = true;
    this.definition.value = definition;
    await this.#settle(this.#see());
  }

  /** Resolves when the inspections after the last change are done. Changes that are made meanwhile are also awaited. */
  async whenSettled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#isSettled) {
      seen = this.#isSettled;
      await seen;
    }
  }

  /** Replaces the definition with the stored one, in which the service has given ids to the steps. */
  stored(definition: Definition): void {
    this.#isStored = true;
    this.definition.value = definition;
  }

  rename(name: string): void {
    const { value } = this.definition;
    if (value !== undefined) this.definition.value = { ...value, name };
  }

  /** Changes the definition, and inspects the page or reads the rows again if the change requires it. */
  change(next: Definition): void {
    const before = this.definition.value;
    if (before === undefined || isSame(before, next)) return;
    this.#past.value = [...this.#past.value, before];
    this.#apply(before, next);
  }

  undo(): void {
    const [before, now] = [this.#past.value.at(-1), this.definition.value];
    if (before === undefined || now === undefined) return;
    this.#past.value = this.#past.value.slice(0, -1);
    this.#apply(now, before);
  }

  #apply(before: Definition, next: Definition): void {
    this.definition.value = next;
    this.hint.value = undefined;
    const [one, other] = [pathDefinition(before), pathDefinition(next)];
    if (!isSame(one, other)) {
      this.#forgetRows();
      void this.#settle(this.#see());
    } else if (!isRead(next, this.check.value)) void this.#settle(this.#read());
  }

  /** Adds a step before the list, and inspects the page that it leads to. */
  act(step: Step): void {
    const { value } = this.definition;
    if (value !== undefined) this.change(withStep(value, step));
  }

  /** Records the proposed list with this index. */
  choose(index: number): void {
    const { value } = this.definition;
    const list = this.lists.value[index];
    if (value === undefined || list === undefined || this.chosen.value === index) return;
    this.#forgetRows();
    this.change(withChosen(value, list, this.look.value));
  }

  /** Searches for the list that has these two elements in different rows, and records it. */
  async findLike(like: readonly [number, number]): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    const found = await this.looking.ask(
      { definition: pathDefinition(value), want: ["lists", "map"], like: [...like] },
      "Looking for rows like these two",
    );
    if (found === undefined) return;
    if (!found.ok || found.lists?.length === 0) {
      this.hint.value = found.error?.message ?? found.warnings[0]?.message;
      return;
    }
    const { value: look } = this.look;
    // The other lists stay valid: elements have the same refs as before, otherwise these two would not have been found.
    const others = this.lists.value.filter(({ selector }) => selector !== found.lists?.[0]?.selector);
    if (look === undefined) return;
    this.look.value = { ...look, lists: [...(found.lists ?? []).slice(0, 1), ...others] };
    this.choose(0);
  }

  /** Tries a pagination, and adds it to the definition if page 2 has new rows. */
  async tryPages(pagination: Pagination): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    const proof = await this.#prove({ ...value, pagination });
    const { value: now } = this.definition;
    if (proof?.isProved && now !== undefined) {
      this.#past.value = [...this.#past.value, now];
      this.definition.value = { ...now, pagination };
    }
  }

  /** Opens the detail page of a row, so that the user can pick values from it. */
  async openDetail(address: string): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    const path = pathDefinition(value);
    const definition = { ...path, steps: [...path.steps, { type: "visit" as const, url: address }] };
    const found = await this.looking.ask(
      { definition, want: ["map", "screenshot", "forms"] },
      "Opening the page of the first row",
    );
    if (found === undefined) return;
    if (found.ok) this.detail.value = found;
    else this.hint.value = found.error?.message;
  }

  setPages(pagination: Pagination): void {
    const { value } = this.definition;
    if (value !== undefined) this.change({ ...value, pagination });
  }

  /** Inspects the page and reads the rows again. */
  again(): void {
    void this.#settle(this.#see());
  }

  stop(): void {
    this.looking.stop();
    this.checking.stop();
  }

  async #settle(work: Promise<unknown>): Promise<void> {
    this.#isSettled = work.then(
      () => undefined,
      () => undefined,
    );
    await this.#isSettled;
  }

  #forgetRows(): void {
    this.checking.stop();
    this.checking.error.value = undefined;
    this.detail.value = undefined;
    this.check.value = undefined;
    this.proofs.value = new Map();
  }

  /** Runs the steps before the list and inspects the page, then reads the rows. */
  async #see(): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    this.checking.stop();
    const found = await this.looking.ask(
      { definition: pathDefinition(value), want: [...WANTED] },
      pathOf(value).length > 1
        ? "Running the steps"
        : `Opening ${URL.parse(addressOf(value))?.host ?? "the page"}`,
    );
    if (found === undefined || this.definition.value === undefined) return;
    this.look.value = found;
    this.hint.value = undefined;
    if (!found.ok) return;
    await this.#afterLook(this.definition.value, found);
  }

  async #afterLook(definition: Definition, found: Inspection): Promise<void> {
    const { consent, lists } = found;
    const isNew = listIndexOf(definition) === -1;
    if (isNew && consent !== null && !pathOf(definition).some((step) => isSame(step, consent))) {
      this.definition.value = withStep(definition, consent);
      await this.#see();
      return;
    }
    const isThere = lists?.some(({ selector }) => selector === listOf(definition)?.selector);
    const [best] = lists ?? [];
    // If the page has changed and no longer has the chosen list, the best list of the new page replaces it.
    if (best !== undefined && (isNew || (!isThere && !this.#isStored)))
      this.definition.value = withChosen(definition, best, found);
    await this.#read();
  }

  /** Reads the rows of one page or, if the definition has a pagination, of two pages to test it. */
  async #read(): Promise<void> {
    const { value } = this.definition;
    if (value === undefined || listOf(value) === undefined) {
      this.check.value = undefined;
      return;
    }
    const { pagination = NO_PAGES } = value;
    if (pagination.type === "none" || listOf(value)?.details !== undefined) {
      await this.#ask(value, 1);
      return;
    }
    const proof = await this.#prove(value);
    const now = this.definition.value;
    const isSure = this.look.value?.pagination?.some(
      (each) => each.is_sure && isSame(each.pagination, pagination),
    );
    // A pagination that was taken without asking the user is removed again if it does not work.
    if (proof && !proof.isProved && isSure && now && isSame(now.pagination, pagination)) {
      this.definition.value = { ...now, pagination: NO_PAGES };
      if (this.check.value === undefined) await this.#ask(this.definition.value, 1);
    }
  }

  async #prove(definition: Definition): Promise<Proof | undefined> {
    const { pagination = NO_PAGES } = definition;
    const found = await this.#ask(definition, 2);
    if (found === undefined) return undefined;
    const proof = proofOf(found);
    this.proofs.value = new Map(this.proofs.value).set(JSON.stringify(pagination), proof);
    return proof;
  }

  async #ask(definition: Definition, pages: 1 | 2): Promise<Inspection | undefined> {
    const proposed = this.lists.value.find(({ selector }) => selector === listOf(definition)?.selector);
    const asked = checkedDefinition(definition, proposed?.fields.map(fieldOf) ?? []);
    const list = listOf(asked);
    if (list === undefined) return undefined;
    const text = pages === 2 ? "Reading two pages of the list" : "Reading the list";
    // Few rows, because the engine opens a page for each row with details.
    const rows_limit = list.details !== undefined && pages === 1 ? 3 : 50;
    const found = await this.checking.ask({ definition: asked, pages, rows_limit, want: ["rows"] }, text);
    if (found === undefined) return undefined;
    // Two pages are read without details, and a pagination may fail: then the earlier, more complete rows are kept.
    const isLess = pages === 2 && (list.details !== undefined || !found.ok);
    if (!isLess || this.check.value === undefined) this.check.value = { list, inspection: found };
    return found;
  }
}
