import { createHook } from "../../functions/store/hooks/hooks.ts";
import type { Table } from "../../functions/store/table.ts";
import { seeded } from "../../test/e2e/chaos/random.ts";
import { comparedRuns, listWith, VISIT } from "../../test/functions/workers/compared-runs.ts";
import { type DayName, kindOf } from "./days.ts";
import { type Kinds, noTally, Reader, type Tally } from "./reader.ts";
import { Shop } from "./shop.ts";

const DAY_MS = 24 * 3600 * 1000;
const EVENTS = ["scraper.failing", "scraper.recovered", "run.changed"] as const;
type Told = (typeof EVENTS)[number];

export interface Simulated {
  /** The changes of rows. */
  changes: Kinds;
  /** The alerts. */
  alerts: Record<Told, Tally>;
  /** Of each kind of day: how many runs there were, and how many of their changes and alerts were false or missed. */
  days: Map<DayName, { runs: number; wrong: number }>;
  /** Errors that the service has logged. */
  errors: string[];
}

const listOf = (selector: string, isIgnored: boolean) =>
  listWith({
    selector,
    fields: ["sku", "name", "price", "viewed"].map((name) => ({ name })),
    ...(isIgnored && { ignore: ["viewed"] }),
  });

/**
 * Scrapers that run once a day, on shops that change and break as the seed has it. All that follows the pages is the
 * service's own: the run, its comparison, its end, and the alerts, whose messages arrive twice now and then.
 */
export async function simulate(
  table: Table,
  size: { days: number; scrapers: number; seed: number },
): Promise<Simulated> {
  const result: Simulated = {
    changes: { new: noTally(), changed: noTally(), removed: noTally() },
    alerts: { "scraper.failing": noTally(), "scraper.recovered": noTally(), "run.changed": noTally() },
    days: new Map(),
    errors: [],
  };
  for (let scraper = 0; scraper < size.scrapers; scraper += 1)
    await simulateScraper(table, size.seed * 1_000 + scraper, size.days, scraper % 4 > 0, result);
  return result;
}

async function simulateScraper(
  table: Table,
  seed: number,
  days: number,
  isIgnored: boolean,
  { changes, alerts, days: kinds, errors }: Simulated,
): Promise<void> {
  const shop = new Shop(seeded(seed), days);
  // Of its own, so that what the shop does never depends on what the service tells.
  const random = seeded(seed + 500);
  const reader = new Reader(changes);
  const scraper = await comparedRuns(table, { steps: [listOf("li", isIgnored)] });
  const { life } = scraper;
  const hook = { url: "https://team.example/alerts", format: "standard", scraper_id: null } as const;
  await createHook(table, life.account, { ...hook, events: [...EVENTS] }, new Date(life.clock.time));
  let told: Told[] = [];
  life.deps.post = async (_, { body }) => {
    told.push(JSON.parse((await Array.fromAsync(body, String)).join("")).type);
    return { status: 200, body: "", durationMs: 1 };
  };
  let wasBroken = false;
  for (let number = 0; number < days; number += 1) {
    life.clock.time += DAY_MS;
    const day = shop.day(number);
    const { isBroken, runs: count = 1 } = kindOf(day.name);
    if (day.name === "mended")
      await scraper.replace({ steps: scraper.withIds([VISIT, listOf(`.day-${number}`, isIgnored)]) });
    told = [];
    const { listed, more = [], ...end } = day.page;
    const refs = [];
    for (let run = 0; run < count; run += 1) {
      scraper.show({ rows: [...listed, ...more].map(({ row }) => row), ...end });
      refs.push(await scraper.start());
    }
    await Promise.all(refs.map((ref) => life.execute(ref)));
    while (life.webhooks.length > 0)
      for (const ref of life.webhooks.splice(0))
        for (let times = random() < 0.2 ? 2 : 1; times > 0; times -= 1) await life.deliver(ref);
    const ended = await Promise.all(refs.map((ref) => scraper.changesOf(ref)));
    const final = ended.filter((run) => run.changes?.final);
    const wrong = reader.read(
      day,
      shop.items,
      final.flatMap(({ listed: each }) => each),
    );
    const due: Record<Told, number> = {
      "scraper.failing": isBroken && !wasBroken ? 1 : 0,
      "scraper.recovered": !isBroken && wasBroken ? 1 : 0,
      "run.changed": final.filter(({ listed: each }) => each.length > 0).length,
    };
    const of = kinds.get(day.name) ?? { runs: 0, wrong: 0 };
    kinds.set(day.name, of);
    of.runs += count;
    of.wrong += wrong;
    for (const event of EVENTS) {
      const times = told.filter((each) => each === event).length;
      of.wrong += tell(alerts[event], due[event], times);
    }
    wasBroken = isBroken;
  }
  errors.push(...life.logged.filter(({ fields }) => "error" in fields).map(({ message }) => message));
}

/** @returns how many alerts were wrong */
function tell(tally: Tally, due: number, times: number): number {
  tally.true += due;
  tally.reported += times;
  tally.missed += Math.max(0, due - times);
  tally.false += Math.max(0, times - due);
  return Math.abs(due - times);
}
