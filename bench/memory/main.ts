import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { largeRuns } from "./large-runs.ts";
import { type Ordered, type QuietService, withQuietService } from "./service-runs.ts";

/*
 * Memory and growth, next to what they may be: a service with copies of Node.js and Chromium of its own, as if nothing
 * else ran on the machine, and an executor after many large runs.
 */
const IDLE_MS = 3_000;
const ROUNDS = 3;
const [FEW_PAGES, MANY_PAGES] = [20, 400];
const [FEW_ROWS, MANY_ROWS] = [10_000, 100_000];

const table = (rows: number): Ordered => ({
  path: `/table?rows=${rows}`,
  rows,
  pagination: { type: "none" },
});
const list = (pages: number): Ordered => ({
  path: `/list?pages=${pages}`,
  rows: pages * 50,
  pagination: { type: "next_button", selector: ".next" },
});

/** The first run with a new process, and the least time of some more. */
async function runs(service: QuietService, ordered: Ordered): Promise<{ peakMb: number; ms: number }> {
  const { peakMb, ms } = await service.run(ordered);
  const times = [ms];
  for (let round = 1; round < ROUNDS; round += 1) times.push((await service.run(ordered)).ms);
  return { peakMb, ms: Math.min(...times) };
}

const parts: Record<string, () => Promise<Figure[]>> = {
  service: () =>
    withQuietService(async (service) => {
      await sleep(IDLE_MS);
      return [
        { what: "start until it listens, ms", measured: service.startMs, goal: 600 },
        { what: "idle service, MB", measured: await service.memory(), goal: 150 },
        { what: "run of one page of 50 rows, MB", measured: (await service.run(list(1))).peakMb, goal: 250 },
      ];
    }),
  table: () =>
    withQuietService(async (service) => {
      const many = await runs(service, table(MANY_ROWS));
      const few = await runs(service, table(FEW_ROWS));
      const growth = many.ms / MANY_ROWS / (few.ms / FEW_ROWS);
      return [
        { what: `${MANY_ROWS} rows on one page, MB`, measured: many.peakMb, goal: 500 },
        { what: `time per row of ${MANY_ROWS} rows, times that of ${FEW_ROWS}`, measured: growth, goal: 1.2 },
      ];
    }),
  list: () =>
    withQuietService(async (service) => {
      const few = await runs(service, list(FEW_PAGES));
      const many = await runs(service, list(MANY_PAGES));
      const growth = many.ms / MANY_PAGES / (few.ms / FEW_PAGES);
      const perPage = (many.peakMb - few.peakMb) / (MANY_PAGES - FEW_PAGES);
      return [
        {
          what: `time per page of ${MANY_PAGES} pages, times that of ${FEW_PAGES}`,
          measured: growth,
          goal: 1.1,
        },
        { what: `each page after the first ${FEW_PAGES}, MB`, measured: perPage },
      ];
    }),
  executor: largeRuns,
};

const { values } = parseArgs({ options: { only: { type: "string", default: Object.keys(parts).join() } } });
const figures: Figure[] = [];
for (const name of values.only.split(",")) figures.push(...((await parts[name]?.()) ?? []));
console.table(
  Object.fromEntries(
    figures.map(({ what, measured, goal }) => [
      what,
      { measured: Number(measured.toPrecision(3)), "at most": goal ?? "" },
    ]),
  ),
);
if (figures.some(({ measured, goal }) => goal !== undefined && measured > goal)) process.exitCode = 1;
