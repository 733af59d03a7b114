import { computed, signal } from "@preact/signals";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { forConsole } from "../../format/advice.ts";
import {
  addressOf,
  isSame,
  isStepOf,
  type List,
  type ListStep,
  listIndexOf,
  listOf,
  newDefinition,
  pathOf,
  placeOf,
  stepFor,
  withChosen,
  withStep,
} from "./definition.ts";
import { isRead } from "./findings.ts";
import { pathDefinition, uncheckedSession, WANTED, withFoundCheck } from "./inspected-definition.ts";
import { LatestInspection } from "./latest-inspection.ts";
import { PageMap } from "./page-map.ts";
import { RowReader, withPages } from "./row-reader.ts";

/** The state of a recording: the definition, the page that its steps lead to, and the rows that it reads. */
export class Recorder {
  readonly definition = signal<Definition | undefined>(undefined);
  readonly #past = signal<readonly Definition[]>([]);
  /** The last inspection of the page that the list is read from. */
  readonly look = signal<Inspection | undefined>(undefined);
  readonly #rows = new RowReader(this.definition, this.look);
  readonly check = this.#rows.check;
  readonly proofs = this.#rows.proofs;
  /** A message for the user, such as why a click had no effect. */
  readonly hint = signal<string | undefined>(undefined);
  readonly looking = new LatestInspection();
  readonly checking = this.#rows.checking;
  #isSettled: Promise<void> = Promise.resolve();
  /** Whether the definition belongs to a stored scraper. Then proposals do not replace its list. */
  #isStored = false;
  /** The lists that were recorded before, by their places, with the columns that the user has chosen. */
  readonly #earlier = new Map<string, ListStep>();

  /** The detail page of the first row, while the user picks values from it. */
  readonly detail = signal<Inspection | undefined>(undefined);
  /** The page that the user sees: the detail page if one is open, or else the page of the list. */
  readonly shown = computed(() => this.detail.value ?? this.look.value);
  readonly map = computed(() => this.shown.value && new PageMap(this.shown.value));
  readonly lists = computed<readonly List[]>(() => this.look.value?.lists ?? []);
  readonly list = computed(() => this.definition.value && listOf(this.definition.value));
  /** The index of the proposed list that is recorded; -1 if none of them is. */
  readonly chosen = computed(() => this.lists.value.findIndex((each) => isStepOf(this.list.value, each)));
  /** Whether its rows are read from JSON that the page carries. */
  readonly isJson = computed(() => this.list.value?.json !== undefined);
  /** What is proposed for the recorded list. */
  readonly proposal = computed(() => {
    const list = this.lists.value[this.chosen.value];
    return this.isJson.value ? list?.from_json : list;
  });
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly isBusy = computed(() => (this.looking.work.value ?? this.checking.work.value) !== undefined);

  /** Starts a new recording with the address of a page. */
  async open(url: string): Promise<void> {
    this.#past.value = [];
    this.#isStored = false;
    this.#rows.pagesBy = undefined;
    this.#earlier.clear();
    this.look.value = undefined;
    this.#forgetRows();
    this.definition.value = newDefinition(url);
    await this.#settle(this.#see());
  }

  /** Starts with the definition of a stored scraper. */
  async load(definition: Definition): Promise<void> {
    this.#past.value = [];
    this.#isStored = true;
    this.#rows.pagesBy = "user";
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
    if (!isSame(before.pagination, next.pagination)) this.#rows.pagesBy = "user";
    this.#past.value = [...this.#past.value, before];
    this.#apply(before, next);
  }

  /** Opens the page with a kept sign-in. A list of a page that asks to sign in is given up. */
  signIn(session: Definition["session"]): void {
    const { value } = this.definition;
    if (value === undefined) return;
    const { session: _, ...rest } = value;
    const asksToSignIn = this.look.value?.warnings.some(({ code }) => code === "sign_in_required");
    const steps = asksToSignIn && !this.#isStored ? pathOf(value) : value.steps;
    this.change({ ...rest, steps, ...(session && { session }) });
  }

  undo(): void {
    const [before, now] = [this.#past.value.at(-1), this.definition.value];
    if (before === undefined || now === undefined) return;
    this.#rows.pagesBy = "user";
    this.#past.value = this.#past.value.slice(0, -1);
    this.#apply(now, before);
  }

  #apply(before: Definition, next: Definition): void {
    this.definition.value = next;
    this.hint.value = undefined;
    const [one, other] = [before, next].map((each) => [pathDefinition(each), uncheckedSession(each)]);
    if (!isSame(one, other)) {
      if (this.#rows.pagesBy === "search") this.#rows.pagesBy = undefined;
      this.#forgetRows();
      void this.#settle(this.#see());
    } else if (!isRead(next, this.check.value)) void this.#settle(this.#rows.read());
  }

  /** Adds a step before the list, and inspects the page that it leads to. */
  act(step: Step): void {
    const { value } = this.definition;
    if (value !== undefined) this.change(withStep(value, step));
  }

  /** Records the proposed list with this index, or the same rows in JSON. */
  choose(index: number, isJson = false): void {
    const { value } = this.definition;
    const list = this.lists.value[index];
    if (value === undefined || list === undefined) return;
    if (this.chosen.value === index && this.isJson.value === isJson) return;
    const step = this.#stepFor(list, isJson);
    this.#forgetRows();
    this.#rows.pagesBy = undefined;
    this.#past.value = [...this.#past.value, value];
    const next = withChosen(value, step, this.look.value);
    this.#apply(value, this.#isStored ? { ...next, name: value.name } : next);
  }

  /** The step that reads a list: with the columns that it had before, or that the list before it had. */
  #stepFor(list: List, isJson: boolean): ListStep {
    const { value: current } = this.list;
    const proposed = this.lists.value[this.chosen.value];
    const all = proposed && stepFor(proposed, [], this.isJson.value);
    const isChanged = all !== undefined && !isSame(current?.fields, all.fields);
    if (current !== undefined && isChanged) this.#earlier.set(placeOf(current), current);
    const step = stepFor(list, isChanged ? current?.fields : [], isJson);
    return this.#earlier.get(placeOf(step)) ?? step;
  }

  /** Searches for the list that has these two elements in different rows, and records it. */
  async findLike(like: readonly [number, number]): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    const found = await this.looking.ask(
      {
        ...{ definition: pathDefinition(value), ...uncheckedSession(value) },
        ...{ want: ["lists", "map"], like: [...like] },
      },
      "Looking for rows like these two",
    );
    if (found === undefined) return;
    if (!found.ok || found.lists?.length === 0) {
      this.hint.value = forConsole(found.error?.message ?? found.warnings[0]?.message ?? "");
      return;
    }
    const { value: look } = this.look;
    // The other lists stay valid: elements have the same refs as before, otherwise these two would not have been found.
    const first = found.lists?.[0];
    const others = this.lists.value.filter((list) => !first || placeOf(list) !== placeOf(first));
    if (look === undefined) return;
    this.look.value = { ...look, lists: [...(found.lists ?? []).slice(0, 1), ...others] };
    this.choose(0);
  }

  /** Tries a pagination, and adds it to the definition if it brings new rows. */
  async tryPages(pagination: Pagination): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    this.#rows.pagesBy = "user";
    const chosen = await this.#rows.search(value, [pagination]);
    const { value: now } = this.definition;
    if (chosen?.proof === undefined || now === undefined) return;
    this.#past.value = [...this.#past.value, now];
    this.definition.value = withPages(now, chosen.definition);
  }

  /** Opens the detail page of a row, so that the user can pick values from it. */
  async openDetail(address: string): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    const path = pathDefinition(value);
    const definition = { ...path, steps: [...path.steps, { type: "visit" as const, url: address }] };
    const found = await this.looking.ask(
      { definition, ...uncheckedSession(value), want: ["map", "screenshot", "forms"] },
      "Opening the page of the first row",
    );
    if (found === undefined) return;
    if (found.ok) this.detail.value = found;
    else this.hint.value = forConsole(found.error?.message ?? "");
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
    this.#rows.forget();
    this.detail.value = undefined;
  }

  /** Runs the steps before the list and inspects the page, then reads the rows. */
  async #see(): Promise<void> {
    const { value } = this.definition;
    if (value === undefined) return;
    this.checking.stop();
    const found = await this.looking.ask(
      { definition: pathDefinition(value), ...uncheckedSession(value), want: [...WANTED] },
      pathOf(value).length > 1
        ? "Running the steps"
        : `Opening ${URL.parse(addressOf(value))?.host ?? "the page"}`,
    );
    if (found === undefined || this.definition.value === undefined) return;
    this.definition.value = withFoundCheck(this.definition.value, found);
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
    const isThere = lists?.some((each) => isStepOf(listOf(definition), each));
    const [best] = lists ?? [];
    // If the page has changed and no longer has the chosen list, the best list of the new page replaces it.
    if (best !== undefined && (isNew || (!isThere && !this.#isStored))) {
      this.definition.value = withChosen(definition, stepFor(best, this.list.value?.fields), found);
      this.#rows.pagesBy = undefined;
    }
    await this.#rows.read();
  }
}
