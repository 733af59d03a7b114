import type { Batch } from "../contract/batches/batch.ts";
import { ROWS_LIMIT_DEFAULT } from "../contract/runs/rows-limit.ts";
import { isFinished, type StoredBatch } from "./batch.ts";

/** A batch as clients and webhooks get it. */
export function batchJson(batch: StoredBatch): Batch {
  const isOver = isFinished(batch);
  const left = batch.total - batch.next;
  return {
    id: batch.id,
    scraper_id: batch.scraper_id,
    scraper_version: batch.scraper_version,
    source: batch.source,
    status: isOver ? "finished" : "running",
    total: batch.total,
    waiting: isOver ? 0 : left,
    running: batch.flying.length,
    successful: batch.successful,
    warned: batch.warned ?? 0,
    failed: batch.failed + (isOver ? left : 0),
    row_count: batch.row_count,
    credits_used: batch.credits_used,
    rows_limit: batch.rows_limit ?? ROWS_LIMIT_DEFAULT,
    concurrency: batch.concurrency,
    webhook_url: batch.webhook_url,
    created_at: batch.created_at,
    finished_at: batch.finished_at,
    stopping: !isOver && batch.stop_requested_at !== undefined,
  };
}
