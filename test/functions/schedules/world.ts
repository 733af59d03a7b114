import type { Schedule } from "../../../functions/contract/scrapers/scraper.ts";
import type { RunRef, StoredRun } from "../../../functions/runs/run.ts";
import type { Occurrence } from "../../../functions/schedules/schedules.ts";
import {
  type StartScheduledRunDeps,
  startScheduledRun,
} from "../../../functions/schedules/start-scheduled-run.ts";
import { sweepSchedules } from "../../../functions/schedules/sweep-schedules.ts";
import { deleteScraper } from "../../../functions/scrapers/delete-scraper.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { listRuns } from "../../../functions/store/runs/runs.ts";
import { getSchedule } from "../../../functions/store/schedules.ts";
import { readScraperItem, type StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { putScraper } from "../../put-scraper.ts";
import { definition } from "../store/samples.ts";

let accounts = 0;

/** An account of its own on a shared table, with a clock that stands still, and what was sent and written down. */
export class World {
  readonly account = `scheduled-${process.pid}-${++accounts}`;
  readonly table: Table;
  time = new Date("2026-11-21T08:00:00.000Z");
  /** What the service is to be woken up for, by scraper. */
  readonly alarms = new Map<string, string>();
  readonly queued: RunRef[] = [];
  readonly logged: Record<string, unknown>[] = [];
  readonly deps: StartScheduledRunDeps;
  readonly #stored = new Set<string>();

  private constructor(table: Table) {
    this.table = table;
    const keep = (message: string, fields?: Record<string, unknown>) =>
      void this.logged.push({ message, ...fields });
    this.deps = {
      table,
      now: () => this.time,
      queues: {
        sendRun: async ({ account, id }) => void this.queued.push({ account, id }),
        sendWebhook: async () => {},
        sendBatch: async () => {},
      },
      schedules: {
        put: async ({ scraper_id, scheduled_at }) => void this.alarms.set(scraper_id, scheduled_at),
        remove: async (_account, id) => void this.alarms.delete(id),
      },
      log: { info: keep, error: keep },
    };
  }

  static async create(table: Table): Promise<World> {
    const world = new World(table);
    const limits = { credit_limit: null, rate_limit: null };
    await createAccount(table, { name: world.account, ...limits, created_at: world.time.toISOString() });
    return world;
  }

  async put(schedule: Partial<Schedule> | null, id?: string, values: object = {}): Promise<string> {
    const scraper = await putScraper(
      this.table,
      this.account,
      { ...definition, ...values, id, schedule },
      this.time,
      this.deps.schedules,
    );
    this.#stored.add(scraper.id);
    return scraper.id;
  }

  /** Leaves nothing for the sweeps of other worlds on the same table. */
  async end(): Promise<void> {
    for (const id of this.#stored) await deleteScraper(this.table, this.account, id);
  }

  /** The occurrence of a scraper that is due. */
  async due(id: string): Promise<Occurrence> {
    const { dueAt } = (await getSchedule(this.table, this.account, id)) ?? {};
    return { account: this.account, scraper_id: id, scheduled_at: dueAt?.toISOString() ?? "none" };
  }

  at(time: string): void {
    this.time = new Date(time);
  }

  deliver(occurrence: Occurrence, deps: Partial<StartScheduledRunDeps> = {}): Promise<void> {
    return startScheduledRun({ ...this.deps, ...deps }, occurrence);
  }

  sweep(): Promise<void> {
    return sweepSchedules(this.deps, this.time);
  }

  /** The scraper's runs, oldest first. */
  async runs(id: string): Promise<StoredRun[]> {
    const { items } = await listRuns(this.table, this.account, { page: 1, scraperId: id });
    return items.toReversed();
  }

  async finish(run: StoredRun | undefined): Promise<void> {
    if (run === undefined) throw new Error("no run to finish");
    const claimed = await claimRun(this.table, run, this.time, 60_000);
    if (claimed === undefined) throw new Error("the run can't be claimed");
    const ending = { status: "successful", error: null, finished_at: this.time.toISOString() } as const;
    const rows = { row_count: 0, row_bytes: 0, segments: [] };
    const progress = { ...rows, credits_used: 0, warnings: [], elapsed_ms: 0 };
    await finishRun(this.table, claimed, progress, ending, undefined);
  }

  async scraper(id: string): Promise<StoredScraper> {
    const { scraper } = (await readScraperItem(this.table, this.account, id)) ?? {};
    if (scraper === undefined) throw new Error("no such scraper");
    return scraper;
  }

  async skipOf(id: string): Promise<{ at: unknown; reason: unknown }> {
    const item: Record<string, unknown> = { ...(await readScraperItem(this.table, this.account, id)) };
    return { at: item.last_skipped_at, reason: item.last_skip_reason };
  }
}
