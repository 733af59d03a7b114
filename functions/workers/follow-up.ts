import type { Queues } from "../queues.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { getAccount, markExhausted } from "../store/accounts.ts";
import { countCredits, creditsUsed, monthOf } from "../store/credits.ts";
import { numberOf } from "../store/numbering.ts";
import { markCreditsCounted, removeFromDueIndex } from "../store/run-follow-up.ts";
import { getRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";

export interface FollowUpDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
}

/** Does the work that a finished run still needs: counts its credits and queues its webhook. Safe to repeat. */
export async function followUp({ table, queues, now }: FollowUpDeps, ref: RunRef): Promise<void> {
  const run = await getRun(table, ref);
  if (run === undefined || run.status === "running") return;
  if (run.unsettled) await countRunCredits(table, run, now());
  if (run.undelivered) await queues.sendWebhook(ref);
  if (!run.unsettled && !run.undelivered) await removeFromDueIndex(table, run);
}

async function countRunCredits(table: Table, run: StoredRun, now: Date): Promise<void> {
  const month = monthOf(new Date(run.finished_at ?? run.created_at));
  const number = numberOf(run.id) ?? 0;
  await countCredits(table, { account: run.account, number, credits_used: run.credits_used, month }, now);
  const limit = (await getAccount(table, run.account))?.credit_limit ?? null;
  if (limit !== null && (await creditsUsed(table, run.account, month)) >= limit) {
    await markExhausted(table, run.account, month);
  }
  await markCreditsCounted(table, run);
}
