import type { Queues } from "../queues.ts";
import { getAccount, markExhausted } from "../store/accounts.ts";
import { creditsUsed, monthOf, settleCredits } from "../store/credits.ts";
import { numberOf } from "../store/numbering.ts";
import { getRun, leaveDue, markSettled, type RunRef, type StoredRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";

export interface AfterRunDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
}

/** Does what a finished run leaves to do: its credits, its webhook. Safe to do again after dying anywhere in it. */
export async function afterRun({ table, queues, now }: AfterRunDeps, ref: RunRef): Promise<void> {
  const run = await getRun(table, ref);
  if (run === undefined || run.status === "running") return;
  if (run.unsettled) await settle(table, run, now());
  if (run.undelivered) await queues.sendWebhook(ref);
  if (!run.unsettled && !run.undelivered) await leaveDue(table, run);
}

async function settle(table: Table, run: StoredRun, now: Date): Promise<void> {
  const month = monthOf(new Date(run.finished_at ?? run.created_at));
  const number = numberOf(run.id) ?? 0;
  await settleCredits(table, { account: run.account, number, credits_used: run.credits_used, month }, now);
  const limit = (await getAccount(table, run.account))?.credit_limit ?? null;
  if (limit !== null && (await creditsUsed(table, run.account, month)) >= limit) {
    await markExhausted(table, run.account, month);
  }
  await markSettled(table, run);
}
