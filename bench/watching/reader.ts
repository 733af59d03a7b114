import type { RowChange } from "../../functions/contract/runs/changes.ts";
import type { Row } from "../../functions/contract/runs/run.ts";
import { kindOf } from "./days.ts";
import { type Day, type Item, numberOf } from "./shop.ts";

/** How often something was so, how often that was reported, how often not, and how often it was reported but not so. */
export interface Tally {
  true: number;
  reported: number;
  missed: number;
  false: number;
}

export const noTally = (): Tally => ({ true: 0, reported: 0, missed: 0, false: 0 });

export type Kinds = Record<RowChange["kind"], Tally>;

const itemOf = ({ name = "", price = "" }: Row): Item => ({ name, price: Number.parseInt(price, 10) });
const isEqual = (one: Item, other: Item) => one.name === other.name && one.price === other.price;

/**
 * Somebody who has read all changes of a scraper and knows what its shop has by them. Each change must say something that is
 * so and that is not known; what is so and is still not known after a run was missed. A row is gone when two days in a row
 * lack it that nobody has a reason to doubt.
 */
export class Reader {
  readonly #known = new Map<number, Item | undefined>();
  readonly #lacking = new Map<number, number>();
  readonly #tallies: Kinds;

  constructor(tallies: Kinds) {
    this.#tallies = tallies;
  }

  /**
   * Reads the final changes of the runs of a day.
   * @param items what the shop has
   * @returns how many of the changes were false
   */
  read({ name, page }: Day, items: ReadonlyMap<number, Item>, changes: readonly RowChange[]): number {
    const { isTrusted } = kindOf(name);
    const isNewStart = name === "first run" || name === "mended";
    const shown = new Map(page.listed.map(({ number, row }) => [number, itemOf(row)]));
    // A key with other values stands for nothing, until it is the only one again.
    const twofold = new Set(
      (page.more ?? [])
        .filter(({ row }) => row.name !== shown.get(numberOf(row))?.name)
        .map(({ number }) => number),
    );
    let wrong = 0;
    for (const change of changes) {
      const isRight = isTrusted && !isNewStart && this.#apply(change, shown, twofold, items);
      const tally = this.#tallies[change.kind];
      tally.reported += 1;
      tally[isRight ? "true" : "false"] += 1;
      if (!isRight) wrong += 1;
    }
    if (isNewStart) this.#known.clear();
    if (isTrusted) this.#look(shown, twofold, !isNewStart);
    return wrong;
  }

  #apply(
    { kind, row, old }: RowChange,
    shown: ReadonlyMap<number, Item>,
    twofold: ReadonlySet<number>,
    items: ReadonlyMap<number, Item>,
  ): boolean {
    if (row === null) return false;
    const number = numberOf(row);
    const [known, now, told] = [this.#known.get(number), shown.get(number), itemOf(row)];
    if (kind === "removed") return !items.has(number) && this.#known.delete(number);
    if (now === undefined || !isEqual(now, told)) return false;
    if (kind === "new" ? this.#known.has(number) : known === undefined || twofold.has(number)) return false;
    this.#known.set(number, now);
    return kind === "new" || (known !== undefined && tellsOld(old ?? {}, known, now));
  }

  /** Sees what was not reported. */
  #look(shown: ReadonlyMap<number, Item>, twofold: ReadonlySet<number>, counts: boolean): void {
    const miss = (kind: RowChange["kind"]) => {
      if (!counts) return;
      this.#tallies[kind].true += 1;
      this.#tallies[kind].missed += 1;
    };
    for (const [number, now] of shown) {
      this.#lacking.delete(number);
      const known = this.#known.get(number);
      if (!this.#known.has(number)) miss("new");
      else if (known !== undefined && !twofold.has(number) && !isEqual(known, now)) miss("changed");
      this.#known.set(number, twofold.has(number) ? undefined : now);
    }
    for (const number of [...this.#known.keys()].filter((each) => !shown.has(each))) {
      const days = (this.#lacking.get(number) ?? 0) + 1;
      this.#lacking.set(number, days);
      if (days < 2) continue;
      miss("removed");
      this.#known.delete(number);
      this.#lacking.delete(number);
    }
  }
}

/** Whether the old values are those of the fields that differ, and no others. */
function tellsOld(old: Record<string, string | null>, known: Item, now: Item): boolean {
  const price = old.price === undefined ? now.price : Number.parseInt(old.price ?? "", 10);
  const { name = now.name, ...rest } = old;
  const others = Object.keys(rest).filter((field) => field !== "price");
  const isNeeded =
    (old.price === undefined || price !== now.price) && (old.name === undefined || name !== now.name);
  return others.length === 0 && isNeeded && name === known.name && price === known.price;
}
