import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Occurrence } from "../schedules/schedules.ts";
import { allDue } from "./runs/due.ts";
import { scraperKey } from "./scraper-keys.ts";
import { readScraperItem, type StoredSchedule, type StoredScraper } from "./scrapers.ts";
import { type Table, unlessConditionFails } from "./table.ts";

/** Why no run was started for an occurrence. */
export type SkipReason = "still_running" | "no_credits";

interface FoundSchedule {
  scraper: StoredScraper;
  schedule: StoredSchedule;
  dueAt: Date;
  /** The batch that the schedule has started last. */
  lastBatch: string | undefined;
}

/** What has become of an occurrence: its batch, or why it has neither a run nor a batch. */
export interface Handled {
  skipped?: SkipReason;
  batch?: string;
}

/** A scraper's schedule and its next occurrence; undefined if it has none. */
export async function getSchedule(
  table: Table,
  account: string,
  scraperId: string,
): Promise<FoundSchedule | undefined> {
  const { scraper, due_at, last_batch } = (await readScraperItem(table, account, scraperId)) ?? {};
  if (!scraper?.schedule || due_at === undefined) return undefined;
  return { scraper, schedule: scraper.schedule, dueAt: new Date(due_at), lastBatch: last_batch };
}

/**
 * Completes an occurrence, so that `next` becomes due. False if the occurrence was no longer due or the schedule has
 * changed. The scraper's item keeps what has become of it.
 */
export async function completeOccurrence(
  { db, name: TableName }: Table,
  { account, scraper_id, scheduled_at }: Occurrence,
  schedule: StoredSchedule,
  next: Date,
  { skipped, batch }: Handled = {},
): Promise<boolean> {
  const set = ["due_at = :next"];
  if (skipped !== undefined) set.push("last_skipped_at = :scheduled", "last_skip_reason = :reason");
  if (batch !== undefined) set.push("last_batch = :batch");
  const update = new UpdateCommand({
    TableName,
    Key: scraperKey(account, scraper_id),
    UpdateExpression: `SET ${set.join(", ")}`,
    ConditionExpression:
      "id = :id AND due_at = :scheduled AND scraper.#schedule.#interval = :interval AND scraper.#schedule.#timezone = :timezone AND scraper.#schedule.#anchor = :anchor",
    ExpressionAttributeNames: {
      "#schedule": "schedule",
      "#interval": "interval",
      "#timezone": "timezone",
      "#anchor": "anchor",
    },
    ExpressionAttributeValues: {
      ":id": scraper_id,
      ":interval": schedule.interval,
      ":timezone": schedule.timezone,
      ":anchor": schedule.anchor,
      ":scheduled": scheduled_at,
      ":next": next.toISOString(),
      ...(skipped && { ":reason": skipped }),
      ...(batch !== undefined && { ":batch": batch }),
    },
  });
  return (await unlessConditionFails(db.send(update))) !== undefined;
}

/** Every occurrence that was due by a time and is not completed, the longest overdue first. */
export async function* dueOccurrences(table: Table, by: Date): AsyncGenerator<Occurrence> {
  for await (const { account, id, due_at } of allDue(table, "SCHEDULE", by)) {
    yield { account, scraper_id: id, scheduled_at: due_at };
  }
}
