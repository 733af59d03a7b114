import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { accountPartition, queryAll, type Table, unlessConditionFails } from "./table.ts";

/** A partition of its own, which executors may write to. */
export const sessionsPartition = (account: string) => `${accountPartition(account)}#SESSIONS`;

/** Whoever signs in holds the session for so long at most. */
const SIGN_IN_MS = 180_000;

const keyOf = (account: string, name: string) => ({ pk: sessionsPartition(account), sk: name });

/** A kept sign-in. Until the first run has signed in, only the lock is there. */
export interface StoredSession {
  name: string;
  /** The encrypted state. */
  sealed: Uint8Array;
  hosts: string[];
  /** When the state was last stored, ISO 8601. */
  saved_at: string;
  /** Changes with each state. */
  version: number;
}

export async function getSession(
  { db, name: TableName }: Table,
  account: string,
  name: string,
): Promise<StoredSession | undefined> {
  const { Item } = await db.send(
    new GetCommand({ TableName, Key: keyOf(account, name), ConsistentRead: true }),
  );
  return Item?.sealed ? (Item as StoredSession) : undefined;
}

/** The account's sessions by name, without their states. A page of the table has only a few, because states are large. */
export const listSessions = (table: Table, account: string): Promise<Omit<StoredSession, "sealed">[]> =>
  Array.fromAsync(
    queryAll<Omit<StoredSession, "sealed">>(table, {
      KeyConditionExpression: "pk = :pk",
      FilterExpression: "attribute_exists(sealed)",
      ProjectionExpression: "#name, hosts, saved_at, version",
      ExpressionAttributeNames: { "#name": "name" },
      ExpressionAttributeValues: { ":pk": sessionsPartition(account) },
    }),
  );

/**
 * Takes the right to sign in. False if another run has it.
 * @param owner identifies the run
 */
export async function lockSession(
  { db, name: TableName }: Table,
  { account, name, owner, now }: { account: string; name: string; owner: string; now: Date },
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName,
    Key: keyOf(account, name),
    UpdateExpression: "SET locked_by = :owner, locked_until = :until",
    ConditionExpression: "attribute_not_exists(locked_until) OR locked_until < :now OR locked_by = :owner",
    ExpressionAttributeValues: {
      ":owner": owner,
      ":now": now.getTime(),
      ":until": now.getTime() + SIGN_IN_MS,
    },
  });
  return (await unlessConditionFails(db.send(update))) !== undefined;
}

/** Gives back the right to sign in, if the run still has it. */
export async function unlockSession(
  { db, name: TableName }: Table,
  { account, name, owner }: { account: string; name: string; owner: string },
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key: keyOf(account, name),
    UpdateExpression: "REMOVE locked_by, locked_until",
    ConditionExpression: "locked_by = :owner",
    ExpressionAttributeValues: { ":owner": owner },
  });
  await unlessConditionFails(db.send(update));
}

/**
 * Stores a state.
 * @param before the version that the state comes from, 0 for none: if another run has stored one since, nothing is stored.
 * "any": the state is of a new sign-in, and replaces every other one
 * @returns the new version; undefined if nothing was stored
 */
export async function putSession(
  { db, name: TableName }: Table,
  account: string,
  { name, sealed, hosts, saved_at }: Omit<StoredSession, "version">,
  before: number | "any",
): Promise<number | undefined> {
  const condition = before === 0 ? "attribute_not_exists(version)" : "version = :before";
  const update = new UpdateCommand({
    TableName,
    Key: keyOf(account, name),
    // After a deletion, no version comes again: a run that has loaded the deleted state must not replace the new one.
    UpdateExpression:
      "SET #name = :name, sealed = :sealed, hosts = :hosts, saved_at = :at, version = if_not_exists(version, :first) + :one",
    ...(before !== "any" && { ConditionExpression: condition }),
    ExpressionAttributeNames: { "#name": "name" },
    ExpressionAttributeValues: {
      ":name": name,
      ":sealed": sealed,
      ":hosts": hosts,
      ":at": saved_at,
      ":first": Date.parse(saved_at),
      ":one": 1,
      ...(typeof before === "number" && before > 0 && { ":before": before }),
    },
    ReturnValues: "UPDATED_NEW",
  });
  return (await unlessConditionFails(db.send(update)))?.Attributes?.version;
}

/** False if there is no such session. */
export async function deleteSession(
  { db, name: TableName }: Table,
  account: string,
  name: string,
): Promise<boolean> {
  const { Attributes } = await db.send(
    new DeleteCommand({ TableName, Key: keyOf(account, name), ReturnValues: "ALL_OLD" }),
  );
  return Attributes?.sealed !== undefined;
}
