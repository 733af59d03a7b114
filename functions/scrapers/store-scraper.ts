import { createHash } from "node:crypto";
import { ROWS_LIMIT_DEFAULT } from "../contract/runs/rows-limit.ts";
import type { Schedule, Scraper } from "../contract/scrapers/scraper.ts";
import { planSchedule } from "../schedules/plan-schedule.ts";
import type { Schedules } from "../schedules/schedules.ts";
import { findRecord, putRecord } from "../store/idempotency.ts";
import {
  createScraper as createStored,
  newScraperId,
  readScraperItem,
  replaceScraper as replaceStored,
  type StoredScraper,
} from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";
import type { Definition } from "./definition.ts";
import { showScraper } from "./scraper-json.ts";

export interface StoreScraperDeps {
  table: Table;
  schedules: Schedules;
  now: () => Date;
}

export interface CreateScraper {
  account: string;
  definition: Definition;
  /** The same key with the same definition returns the same scraper for 24 hours. */
  idempotencyKey?: string | undefined;
}

export type CreateScraperResult =
  | { outcome: "stored"; scraper: Scraper }
  /** The idempotency key was used for another definition. */
  | { outcome: "key_reused" }
  /** The scraper that the idempotency key has created was deleted. */
  | { outcome: "deleted" };

/** Stores a new scraper. If the process dies half-way, a repetition with the same idempotency key stores the same one. */
export async function createScraper(
  deps: StoreScraperDeps,
  input: CreateScraper,
): Promise<CreateScraperResult> {
  const { table, now } = deps;
  const { account, idempotencyKey } = input;
  if (idempotencyKey === undefined) return storeAs(deps, input, await newScraperId(table, account, now()));
  // Not a key of a run: these begin with a source.
  const key = `scrapers ${idempotencyKey}`;
  const fingerprint = createHash("sha256").update(JSON.stringify(input.definition)).digest("hex");
  const record = await findRecord<{ scraper_id: string }>(table, account, key, now());
  if (record !== undefined) {
    if (record.fingerprint !== fingerprint) return { outcome: "key_reused" };
    return storeAs(deps, input, record.scraper_id);
  }
  const id = await newScraperId(table, account, now());
  if (!(await putRecord(table, account, key, { fingerprint, scraper_id: id }, now())))
    return createScraper(deps, input);
  return storeAs(deps, input, id);
}

async function storeAs(
  deps: StoreScraperDeps,
  { account, definition }: CreateScraper,
  id: string,
): Promise<CreateScraperResult> {
  const { table, now } = deps;
  const time = now();
  const planned =
    definition.schedule === null ? undefined : planSchedule(definition.schedule, undefined, time);
  const scraper = { ...definition.scraper, schedule: planned?.schedule ?? null };
  const created = await createStored(table, account, id, scraper, time, planned?.dueAt);
  const item = created === undefined ? await readScraperItem(table, account, id) : undefined;
  const stored = created ?? item?.scraper;
  if (stored === undefined) return { outcome: "deleted" };
  const scheduledAt = item === undefined ? planned?.dueAt?.toISOString() : item.due_at;
  if (scheduledAt !== undefined)
    await deps.schedules.put({ account, scraper_id: id, scheduled_at: scheduledAt });
  return { outcome: "stored", scraper: await showScraper(table, account, stored, time) };
}

export interface ReplaceScraper {
  account: string;
  id: string;
  definition: Definition;
  /** The versions that may be replaced; absent: any. */
  versions?: readonly number[] | undefined;
}

export type ReplaceScraperResult =
  | { outcome: "stored"; scraper: Scraper }
  | { outcome: "unknown_scraper" }
  /** The stored scraper has another version. */
  | { outcome: "changed" };

/**
 * Replaces a scraper's definition. Checks the version and what is due, so that neither the change of another client nor an
 * occurrence that was started between read and write is lost.
 */
export async function replaceScraper(
  deps: StoreScraperDeps,
  input: ReplaceScraper,
): Promise<ReplaceScraperResult> {
  const { table, schedules, now } = deps;
  const { account, id, definition, versions } = input;
  const time = now();
  const item = await readScraperItem(table, account, id);
  if (item?.scraper === undefined) return { outcome: "unknown_scraper" };
  if (versions !== undefined && !versions.includes(item.scraper.version)) return { outcome: "changed" };
  const due = item.due_at === undefined ? undefined : new Date(item.due_at);
  const planned = definition.schedule && plan(definition.schedule, item.scraper, due, time);
  const scraper = { ...definition.scraper, schedule: planned?.schedule ?? null };
  // The default limit is in what clients retrieve. To send it back is not to state it.
  if (item.scraper.rows_limit === undefined && scraper.rows_limit === ROWS_LIMIT_DEFAULT)
    scraper.rows_limit = undefined;
  const stored =
    (await replaceStored(table, account, item.scraper, scraper, time, {
      before: due,
      next: planned?.dueAt,
    })) ?? (await ownWrite(table, account, item.scraper, time));
  if (stored === undefined) return replaceScraper(deps, input);
  if (planned?.dueAt === undefined) await schedules.remove(account, id);
  else await schedules.put({ account, scraper_id: id, scheduled_at: planned.dueAt.toISOString() });
  return { outcome: "stored", scraper: await showScraper(table, account, stored, time) };
}

const plan = (wanted: Schedule, { schedule }: StoredScraper, dueAt: Date | undefined, now: Date) =>
  planSchedule(wanted, schedule ? { schedule, dueAt } : undefined, now);

/** If the answer to a successful write is lost, its repetition by the SDK fails. */
async function ownWrite(table: Table, account: string, before: StoredScraper, time: Date) {
  const scraper = (await readScraperItem(table, account, before.id))?.scraper;
  const isOwn = scraper?.version === before.version + 1 && scraper.updated_at === time.toISOString();
  return isOwn ? scraper : undefined;
}
