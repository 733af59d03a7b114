import type { StoredBatch } from "../../batches/batch.ts";
import type { RunRef, StoredRun, WebhookAttempt, WebhookOutcome, WebhookState } from "../../runs/run.ts";
import { CLAIM_MS, NO_ANSWER } from "../../runs/webhook-attempt.ts";
import { isInProgress } from "../../runs/webhook-json.ts";
import { getBatch } from "../batches/batches.ts";
import type { Table } from "../table.ts";
import { isBatchId } from "./numbering.ts";
import { getRun } from "./runs.ts";
import { dueAt, NOT_DUE, writeState } from "./state-write.ts";

/** What has a webhook: a run or a batch. */
type Subject = RunRef & WebhookState;

/** How many attempts a run's log keeps: all of a delivery, and some of those before it was started again. */
const LOGGED_ATTEMPTS = 20;

/**
 * Claims the next attempt at the webhook of a run or batch and counts it, before it is made. `nextAt`: when the attempt after it may
 * begin if this one never ends. Undefined if another process has claimed it, or there is nothing to deliver.
 */
export async function claimWebhook(
  table: Table,
  run: Subject,
  { now, nextAt }: { now: Date; nextAt: Date },
): Promise<Subject | undefined> {
  const begun: WebhookAttempt = { at: now.toISOString(), status: null, duration_ms: 0, answer: NO_ANSWER };
  const attempts = run.webhook_attempts ?? 0;
  return writeState<Subject>(table, run, {
    set: {
      webhook_attempts: attempts + 1,
      webhook_next_at: nextAt.toISOString(),
      webhook_log: [...(run.webhook_log ?? []), begun].slice(-LOGGED_ATTEMPTS),
    },
    condition: `attribute_exists(#undelivered) AND ${unchanged(run)}`,
    values: seen(run),
  });
}

/** The delivery is as it was when this state was read: nobody has claimed an attempt since. */
const unchanged = ({ webhook_next_at: next, webhook_attempts: attempts }: Subject) =>
  [
    attempts === undefined ? "attribute_not_exists(#webhook_attempts)" : "#webhook_attempts = :attempts",
    next === undefined ? "attribute_not_exists(#webhook_next_at)" : "#webhook_next_at = :next",
  ].join(" AND ");

const seen = ({ webhook_next_at: next, webhook_attempts: attempts }: Subject) => ({
  ...(attempts !== undefined && { ":attempts": attempts }),
  ...(next !== undefined && { ":next": next }),
});

/** The log of a claimed run, with the result of the attempt instead of its beginning. */
const logged = ({ webhook_log: log = [] }: Subject, result: WebhookAttempt | undefined) => ({
  webhook_log: result === undefined ? log : [...log.slice(0, -1), result],
});

/**
 * Renews the claim of an attempt that lasts longer than one. Undefined if another process has claimed the next attempt.
 */
export function keepWebhook(table: Table, claimed: Subject, now: Date): Promise<Subject | undefined> {
  const { webhook_log: log = [], webhook_next_at: next = "" } = claimed;
  const last = log.at(-1);
  const until = new Date(now.getTime() + CLAIM_MS).toISOString();
  return writeState<Subject>(table, claimed, {
    set: {
      webhook_next_at: next > until ? next : until,
      ...(last && {
        webhook_log: [...log.slice(0, -1), { ...last, duration_ms: now.getTime() - Date.parse(last.at) }],
      }),
    },
    condition: `attribute_exists(#undelivered) AND ${unchanged(claimed)}`,
    values: seen(claimed),
  });
}

/** Ends the delivery of a webhook. `result`: of the claimed attempt, if one was made. `more`: attributes to set, too. */
export async function endWebhook(
  table: Table,
  claimed: Subject,
  outcome: WebhookOutcome,
  result?: WebhookAttempt,
  more?: Record<string, unknown> | false,
): Promise<void> {
  await writeState(table, claimed, {
    set: {
      ...more,
      ...logged(claimed, result),
      webhook_outcome: outcome,
      undelivered: undefined,
      webhook_next_at: undefined,
      ...NOT_DUE,
    },
    condition: `attribute_exists(#undelivered) AND ${unchanged(claimed)}`,
    values: seen(claimed),
  });
}

/** Records the result of the claimed attempt, and when the next one may begin. */
export async function scheduleWebhook(
  table: Table,
  claimed: Subject,
  result: WebhookAttempt,
  { nextAt, due }: { nextAt: Date; due: Date },
): Promise<void> {
  await writeState(table, claimed, {
    set: { ...logged(claimed, result), webhook_next_at: nextAt.toISOString(), ...dueAt(claimed, due) },
    condition: `attribute_exists(#undelivered) AND ${unchanged(claimed)}`,
    values: seen(claimed),
  });
}

/**
 * Starts the delivery of the webhook of a finished run or batch again. Changes nothing if an attempt is about to be made or in progress,
 * or begins meanwhile: that attempt is the one. So concurrent calls lead to one delivery. `run`: the run as it was when the
 * request came. False if it is still running, has no webhook, or was deleted.
 */
export async function resendWebhook(table: Table, run: StoredRun | StoredBatch, now: Date): Promise<boolean> {
  if (run.status === "running" || run.webhook_url === null) return false;
  const isWaiting = run.undelivered && run.webhook_next_at === undefined;
  if (isWaiting || isInProgress(run, now)) return true;
  const state = await writeState(table, run, {
    set: {
      undelivered: true,
      webhook_attempts: 0,
      webhook_next_at: undefined,
      webhook_outcome: undefined,
      ...dueAt(run, now),
    },
    condition: "#status = :seen_status AND #mark = :seen_mark",
    values: { ":seen_status": run.status, ":seen_mark": run.mark },
  });
  // If another write came first, it has begun a delivery, or it has deleted the run.
  const read = isBatchId(run.id) ? getBatch : getRun;
  return state !== undefined || (await read(table, run)) !== undefined;
}
