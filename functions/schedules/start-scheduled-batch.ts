import { isFinished } from "../batches/batch.ts";
import { type StartBatchDeps, startBatch } from "../batches/start-batch.ts";
import { ValidationError } from "../contract/validate.ts";
import { RUN_TIMING } from "../run-timing.ts";
import { RunFailure } from "../runs/failure.ts";
import { startRun } from "../runs/start-run.ts";
import { getBatch } from "../store/batches/batches.ts";
import type { Handled } from "../store/schedules.ts";
import { endRun } from "../workers/end-run.ts";
import type { Occurrence } from "./schedules.ts";

/** How many runs of a scheduled batch are made at a time: as many as of other batches by default. */
const CONCURRENCY = 10;

/**
 * What has become of an occurrence, and when; undefined if the scraper no longer exists. `in_progress`: another process is
 * storing its batch.
 */
export type Started = (Handled & { at: Date }) | "in_progress" | undefined;

/**
 * Starts the batch of an occurrence, with the scraper's own inputs. If these are not valid, a failed run says so, because
 * people look at runs.
 */
export async function startScheduledBatch(
  deps: StartBatchDeps,
  { account, scraper_id, scheduled_at }: Occurrence,
  lastBatch: string | undefined,
): Promise<Started> {
  const { table, now } = deps;
  const last = lastBatch === undefined ? undefined : await getBatch(table, { account, id: lastBatch });
  if (last !== undefined && !isFinished(last)) return { at: now(), skipped: "still_running" };
  const idempotencyKey = `${scraper_id} ${scheduled_at}`;
  const settings = { scraper_id, concurrency: CONCURRENCY };
  try {
    const result = await startBatch(deps, {
      ...{ account, source: "scheduler", settings, inputs: undefined, idempotencyKey },
    });
    switch (result.outcome) {
      case "started":
        return { at: new Date(result.batch.created_at), batch: result.batch.id };
      case "no_credits":
        return { at: now(), skipped: "no_credits" };
      case "unknown_scraper":
        return undefined;
      case "deleted":
        return { at: now() };
      case "in_progress":
        return "in_progress";
      case "key_reused":
        throw new Error(`The key of the occurrence ${idempotencyKey} was used for another request.`);
    }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return startFailedRun(deps, { account, scraper_id, scheduled_at }, error);
  }
}

/** The most problems that the message of a failed run names. */
const PROBLEMS_SHOWN = 3;

async function startFailedRun(
  deps: StartBatchDeps,
  { account, scraper_id, scheduled_at }: Occurrence,
  { problems }: ValidationError,
): Promise<Started> {
  const { now, queues, timing = RUN_TIMING } = deps;
  const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ path, message }) => `${path} ${message}`.trim());
  const more = problems.length > shown.length ? `; and ${problems.length - shown.length} more` : "";
  const failure = new RunFailure(
    "inputs_invalid",
    `No batch was started, because the inputs are not valid: ${shown.join("; ")}${more}. Correct the inputs of the scraper, or their source.`,
  );
  const result = await startRun(
    // No executor is told of the run.
    { ...deps, queues: { ...queues, sendRun: async () => {} } },
    {
      ...{ account, source: "scheduler", request: { scraper_id } },
      idempotencyKey: `${scraper_id} ${scheduled_at}`,
    },
  );
  if (result.outcome === "unknown_scraper") return undefined;
  if (result.outcome !== "started")
    return { at: now(), ...(result.outcome === "no_credits" && { skipped: "no_credits" }) };
  await endRun({ ...deps, timing }, result.run, failure, now());
  return { at: new Date(result.run.created_at) };
}
