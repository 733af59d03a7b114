import { randomBytes } from "node:crypto";
import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Actor, AuditEntry } from "../contract/audit/audit.ts";
import type { AuditAction } from "../contract/audit/audit-actions.ts";
import { accountPartition, type Table, TTL_ATTRIBUTE } from "./table.ts";

/** How long entries are kept, in seconds. */
const KEPT_S = 400 * 24 * 3600;

/** A partition of its own, which executors can't read or write. */
export const auditPartition = (account: string) => `${accountPartition(account)}#AUDIT`;

/** A change of an account. `target`: the id or the name of what was changed; null for the account itself. */
export interface Change {
  account: string;
  actor: Actor;
  action: AuditAction;
  target: string | null;
}

/** Adds an entry to the audit log of an account. */
export async function putAuditEntry(
  { db, name: TableName }: Table,
  { account, actor, action, target }: Change,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  // An update, because every function that serves requests with a key has this permission.
  const update = new UpdateCommand({
    TableName,
    Key: { pk: auditPartition(account), sk: `${at}_${randomBytes(4).toString("hex")}` },
    UpdateExpression: "SET #at = :at, actor = :actor, #action = :action, target = :target, #ttl = :expiry",
    ExpressionAttributeNames: { "#at": "at", "#action": "action", "#ttl": TTL_ATTRIBUTE },
    ExpressionAttributeValues: {
      ":at": at,
      ":actor": actor,
      ":action": action,
      ":target": target,
      ":expiry": Math.ceil(now.getTime() / 1000) + KEPT_S,
    },
  });
  await db.send(update);
}

/** The newest entries of an account, at most `limit`, newest first. `before`: only those that are older than this one. */
export async function listAuditEntries(
  { db, name: TableName }: Table,
  account: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: before === undefined ? "pk = :pk" : "pk = :pk AND sk < :before",
      ExpressionAttributeValues: {
        ":pk": auditPartition(account),
        ...(before !== undefined && { ":before": before }),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items.map(({ sk, at, actor, action, target }) => ({
    id: sk,
    at,
    actor: { type: actor.type, id: actor.id, name: actor.name },
    action,
    target,
  }));
}
