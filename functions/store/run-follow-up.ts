import type { RunRef, StoredRun, WebhookOutcome } from "../runs/run.ts";
import { DUE, updateRun } from "./runs.ts";
import type { Table } from "./table.ts";

/** Records that a run's credits have been added to its account's month. */
export async function markCreditsCounted(table: Table, ref: RunRef): Promise<void> {
  const result = await updateRun(table, ref, {
    UpdateExpression: "REMOVE unsettled",
    ConditionExpression: "id = :id",
    ReturnValues: "ALL_NEW",
  });
  if (result !== undefined) await removeFromDueIndex(table, result);
}

/** Removes a run from the `due` index if it has finished and needs no more work. */
export async function removeFromDueIndex(table: Table, run: StoredRun): Promise<void> {
  if (run.status === "running" || run.unsettled || run.undelivered) return;
  await updateRun(table, run, {
    UpdateExpression: "REMOVE due, due_at",
    ConditionExpression: "id = :id AND attribute_not_exists(unsettled) AND attribute_not_exists(undelivered)",
  });
}

/** Ends the delivery of a run's webhook. */
export async function endWebhook(table: Table, ref: RunRef, outcome: WebhookOutcome): Promise<void> {
  const run = await updateRun(table, ref, {
    UpdateExpression: "SET webhook_outcome = :outcome REMOVE undelivered, webhook_next_at",
    ConditionExpression: "id = :id AND attribute_exists(undelivered)",
    ExpressionAttributeValues: { ":outcome": outcome },
    ReturnValues: "ALL_NEW",
  });
  if (run !== undefined) await removeFromDueIndex(table, run);
}

/** Starts the delivery of a finished run's webhook again. False if the run is still running or has no webhook. */
export async function resendWebhook(table: Table, ref: RunRef, now: Date): Promise<boolean> {
  const run = await updateRun(table, ref, {
    UpdateExpression:
      "SET undelivered = :true, webhook_attempts = :none, #due = :due, due_at = :now REMOVE webhook_next_at, webhook_outcome",
    ConditionExpression: "id = :id AND #status <> :running AND attribute_type(webhook_url, :string)",
    ExpressionAttributeNames: { "#status": "status", "#due": "due" },
    ExpressionAttributeValues: {
      ":running": "running",
      ":true": true,
      ":none": 0,
      ":due": DUE,
      ":now": now.toISOString(),
      ":string": "S",
    },
    ReturnValues: "ALL_NEW",
  });
  return run !== undefined;
}

/** Records that `attempts` attempts at the webhook failed, and plans the next one for `nextAt`. */
export async function scheduleWebhook(
  table: Table,
  ref: RunRef,
  { attempts, nextAt, dueAt }: { attempts: number; nextAt: Date; dueAt: Date },
): Promise<void> {
  await updateRun(table, ref, {
    UpdateExpression: "SET webhook_attempts = :attempts, webhook_next_at = :next, due_at = :due_at",
    ConditionExpression: "id = :id AND attribute_exists(undelivered)",
    ExpressionAttributeValues: {
      ":attempts": attempts,
      ":next": nextAt.toISOString(),
      ":due_at": dueAt.toISOString(),
    },
  });
}
