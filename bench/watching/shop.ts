import type { Row } from "../../functions/contract/runs/run.ts";
import { pick, type Random } from "../../test/e2e/chaos/random.ts";
import { type DayName, KINDS, type KindName, kindOf, type Listed, type Page } from "./days.ts";

/** An article. */
export interface Item {
  name: string;
  price: number;
}

/** What the runs of a day meet. */
export interface Day {
  name: DayName;
  page: Page;
}

/** In the last days nothing is sold out, and then nothing is out of order, so that each missing row is missing twice. */
const LAST_DAYS = { sold: 6, order: 3 };
/** The fewest articles: with fewer, a list that is cut off is too short to tell that a field always differs. */
const LEAST_ITEMS = 24;
/** The share of the articles that is sold out at once, at times. */
const SOLD_OUT = 0.7;
/** Days until an article that is sold out may come back. */
const AWAY_DAYS = 20;

const PRICES: ((price: number) => string)[] = [String, (price) => `${price}.00 €`];
const KEYS: ((number: number) => string)[] = [
  (number) => `Nr. ${number}`,
  (number) => `NR.  ${number}`,
  (number) => ` nr.\u00a0${number} `,
];

/** The number of an article, by its row; 0 for none. */
export const numberOf = (row: Row): number => Number(/\d+/.exec(row.sku ?? "")?.[0] ?? 0);

const between = (random: Random, [least, most]: readonly [number, number]) =>
  least + Math.floor(random() * (most - least + 1));

/** A shop with a list that changes from day to day, and which is not always in order. */
export class Shop {
  /** What it has now, by the numbers of the articles. */
  readonly items = new Map<number, Item>();
  readonly #random: Random;
  readonly #days: number;
  readonly #gone = new Map<number, { item: Item; day: number }>();
  #next = 1;
  #writing = { price: 0, key: 0 };
  #now: { name: DayName; left: number } = { name: "first run", left: 1 };

  /** @param days how many days there are */
  constructor(random: Random, days: number) {
    this.#random = random;
    this.#days = days;
    for (let count = between(random, [60, 120]); count > 0; count -= 1) this.#add();
  }

  /** What the runs of a day meet, from 0 on; for each day in turn. */
  day(day: number): Day {
    if (day > 0) this.#begin(day);
    this.#now.left -= 1;
    const { name } = this.#now;
    // Changes on a day on which all prices look otherwise could not be told from that.
    if (day > 0) this.#evolve(day, name !== "prices written otherwise");
    return { name, page: kindOf(name).show(this.#listed(), this.#random) };
  }

  #begin(day: number): void {
    const { name, left } = this.#now;
    if (left > 0) return;
    const isPlain = ["first run", "plain", "mended"].includes(name);
    const next = isPlain ? this.#pick(day) : undefined;
    if (next !== undefined) this.#now = next;
    else this.#now = { name: kindOf(name).ends ?? "plain", left: 1 };
    const { begins } = kindOf(this.#now.name);
    if (begins === "writes prices otherwise") this.#writing.price += 1;
    if (begins === "writes keys otherwise") this.#writing.key += 1;
    if (begins === "sells out")
      for (const number of [...this.items.keys()].slice(0, Math.ceil(this.items.size * SOLD_OUT)))
        this.#sellOut(number, day);
  }

  #pick(day: number): { name: KindName; left: number } | undefined {
    if (this.#random() < 0.5) return undefined;
    const name = pick(this.#random, Object.keys(KINDS) as KindName[]);
    const left = between(this.#random, KINDS[name].days);
    if (day + left > this.#days - LAST_DAYS.order) return undefined;
    const isTooSmall = name === "more than half sold out" && this.items.size * (1 - SOLD_OUT) < LEAST_ITEMS;
    return isTooSmall ? undefined : { name, left };
  }

  #evolve(day: number, withChanges: boolean): void {
    for (const [number, item] of this.items) {
      const chance = this.#random();
      if (chance < 0.02 && day < this.#days - LAST_DAYS.sold && this.items.size > LEAST_ITEMS)
        this.#sellOut(number, day);
      else if (!withChanges) continue;
      else if (chance > 0.97)
        this.items.set(number, { ...item, price: item.price + between(this.#random, [1, 9]) });
      else if (chance > 0.96) this.items.set(number, { ...item, name: `${item.name} II` });
    }
    for (let count = between(this.#random, [0, 2]); count > 0; count -= 1) this.#add();
    const isSoldOut = kindOf(this.#now.name).begins === "sells out";
    for (const [number, { item, day: since }] of this.#gone) {
      if (day - since < AWAY_DAYS || isSoldOut || this.#random() > 0.1) continue;
      this.items.set(number, item);
      this.#gone.delete(number);
    }
  }

  #add(): void {
    this.items.set(this.#next, { name: `Article ${this.#next}`, price: between(this.#random, [1, 500]) });
    this.#next += 1;
  }

  #sellOut(number: number, day: number): void {
    this.#gone.set(number, { item: this.items.get(number) as Item, day });
    this.items.delete(number);
  }

  #listed(): Listed[] {
    const price = PRICES[this.#writing.price % PRICES.length] as (typeof PRICES)[number];
    const key = KEYS[this.#writing.key % KEYS.length] as (typeof KEYS)[number];
    return [...this.items].map(([number, item]) => ({
      number,
      row: {
        sku: key(number),
        name: item.name,
        price: price(item.price),
        viewed: String(between(this.#random, [0, 99_999])),
      },
    }));
  }
}
