import { randomBytes } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { AlertFacts, AlertType } from "../../contract/hooks/hook.ts";
import type { StoredAlert, StoredHook } from "../../hooks/hook.ts";
import type { RunRef } from "../../runs/run.ts";
import { duePartition } from "../runs/due.ts";
import { FIRST_ALERT, newId, numberOf } from "../runs/numbering.ts";
import { getAll, queryAll, type Table, type Write } from "../table.ts";
import { alertKey, alertsPartition, alertsPrefix } from "./hook-keys.ts";

/** How long an alert is kept. Its delivery takes up to 30 hours. */
const KEPT_MS = 7 * 24 * 3600_000;
/** How many of a hook's alerts clients see. */
const SHOWN = 20;

export interface NewAlert {
  event: AlertType;
  facts: AlertFacts;
  now: Date;
  /** When somebody has to look whether it is delivered. */
  due: Date;
}

export const newAlert = (account: string, hook: StoredHook, { event, facts, now, due }: NewAlert) => ({
  account,
  id: newId(FIRST_ALERT + (numberOf(hook.id) ?? 0), now),
  hook_id: hook.id,
  event,
  facts,
  created_at: now.toISOString(),
  undelivered: true as const,
  due_at: due.toISOString(),
  expires_at: Math.ceil((now.getTime() + KEPT_MS) / 1000),
  // Tells the writer of a transaction whose answer was lost that it has succeeded.
  mark: randomBytes(6).toString("base64url"),
});

/** The write of a new alert, for a transaction. */
export const alertPut = ({ name: TableName }: Table, alert: StoredAlert): Write => ({
  Put: { TableName, Item: { ...alertKey(alert), ...alert, due: duePartition("RUN", alert.id) } },
});

export async function putAlert(table: Table, alert: StoredAlert): Promise<void> {
  const { Put } = alertPut(table, alert);
  if (Put !== undefined) await table.db.send(new PutCommand(Put));
}

export async function getAlert(table: Table, ref: RunRef): Promise<StoredAlert | undefined> {
  const key = alertKey(ref);
  if (key === undefined) return undefined;
  const [alert] = await getAll<StoredAlert>(table, [key]);
  return alert;
}

/** The newest alerts of a hook, newest first. */
export async function listAlerts(
  table: Table,
  account: string,
  hookId: string,
  now: Date,
): Promise<StoredAlert[]> {
  const alerts = queryAll<StoredAlert>(table, {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :hook)",
    ExpressionAttributeValues: {
      ":pk": alertsPartition(account),
      ":hook": alertsPrefix(numberOf(hookId) ?? 0),
    },
    ScanIndexForward: false,
    Limit: SHOWN,
    ConsistentRead: true,
  });
  const shown: StoredAlert[] = [];
  for await (const alert of alerts) {
    // DynamoDB removes expired items some time later.
    if (alert.expires_at * 1000 > now.getTime()) shown.push(alert);
    if (shown.length === SHOWN) break;
  }
  return shown;
}
