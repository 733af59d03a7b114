import { randomBytes } from "node:crypto";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { DELIVERIES_MAX, type Delivery } from "../contract/scrapers/delivery.ts";
import type { StoredDelivery } from "../deliveries/delivery.ts";
import type { RunRef } from "../runs/run.ts";
import { CLAIM_MS } from "../runs/webhook-attempt.ts";
import { isInProgress } from "../runs/webhook-json.ts";
import { deliveryKey, targetKey } from "./delivery-keys.ts";
import { duePartition } from "./runs/due.ts";
import { derivedId, FIRST_DELIVERY, timeOf } from "./runs/numbering.ts";
import { getAll, type Table, unlessConditionFails, type Write } from "./table.ts";

/** How long a delivery is kept. Its attempts take up to 30 hours. */
const KEPT_MS = 30 * 24 * 3600_000;

/** The id of the delivery to the destination with this index. It begins with the time of the run or batch. */
const idOf = (of: string, index: number) =>
  derivedId(FIRST_DELIVERY + index, timeOf(of), `${of} delivery ${index}`);

export interface NewDelivery {
  of: RunRef & { scraper_id: string };
  settings: Delivery;
  index: number;
  /** Why the rows are not sent; undefined: they are. */
  whyNot: string | undefined;
  now: Date;
  /** When somebody has to look whether it is delivered. */
  due: Date;
}

export const newDelivery = ({ of, settings, index, whyNot, now, due }: NewDelivery): StoredDelivery => ({
  account: of.account,
  id: idOf(of.id, index),
  of: of.id,
  scraper_id: of.scraper_id,
  settings,
  created_at: now.toISOString(),
  expires_at: Math.ceil((now.getTime() + KEPT_MS) / 1000),
  mark: randomBytes(6).toString("base64url"),
  ...(whyNot === undefined
    ? { undelivered: true, due_at: due.toISOString() }
    : {
        skipped: true,
        webhook_outcome: "delivered",
        webhook_log: [{ at: now.toISOString(), status: null, duration_ms: 0, answer: whyNot }],
      }),
});

const itemOf = (delivery: StoredDelivery) => ({
  ...deliveryKey(delivery),
  ...delivery,
  ...(delivery.due_at !== undefined && { due: duePartition("RUN", delivery.id) }),
});

/** The write of a new delivery, for a transaction. */
export const deliveryPut = ({ name: TableName }: Table, delivery: StoredDelivery): Write => ({
  Put: { TableName, Item: itemOf(delivery) },
});

export async function getDelivery(table: Table, ref: RunRef): Promise<StoredDelivery | undefined> {
  const key = deliveryKey(ref);
  return key && (await getAll<StoredDelivery>(table, [key]))[0];
}

/** The deliveries of a run or a batch, in the order of the destinations. */
export async function listDeliveries(
  table: Table,
  { account, id: of }: RunRef,
  now: Date,
): Promise<StoredDelivery[]> {
  const ids = Array.from({ length: DELIVERIES_MAX }, (_, index) => idOf(of, index));
  const keys = ids.flatMap((id) => deliveryKey({ account, id }) ?? []);
  const found = new Map((await getAll<StoredDelivery>(table, keys)).map((each) => [each.id, each]));
  // DynamoDB removes expired items some time later.
  return ids.flatMap((id) => found.get(id) ?? []).filter((each) => each.expires_at * 1000 > now.getTime());
}

/**
 * Stores a delivery in place of an earlier one to the destination with the same index. Leaves one alone that is about to be
 * attempted, or in progress: that attempt is the one.
 */
export async function renewDelivery(
  table: Table,
  next: StoredDelivery,
  before: StoredDelivery | undefined,
  now: Date,
): Promise<void> {
  const isWaiting = before?.undelivered && before.webhook_next_at === undefined;
  if (before !== undefined && (isWaiting || isInProgress(before, now))) return;
  const put = new PutCommand({
    TableName: table.name,
    Item: itemOf(next),
    ConditionExpression: before === undefined ? "attribute_not_exists(pk)" : "#mark = :seen",
    ...(before !== undefined && {
      ExpressionAttributeNames: { "#mark": "mark" },
      ExpressionAttributeValues: { ":seen": before.mark },
    }),
  });
  // If another write came first, it has begun a delivery.
  await unlessConditionFails(table.db.send(put));
}

/** The state of a destination that gets the rows of one run at a time. */
interface Target {
  /** The delivery that holds the destination, and until when, ISO 8601. */
  holder?: string;
  held_until?: string;
  /** The order of the newest run whose rows it got. */
  newest?: string;
}

/**
 * Takes a destination for a delivery, for as long as a claim of an attempt holds; the holder may take it again. "busy": another
 * delivery has it. Otherwise, whether it already has the rows of a newer run. `order`: runs sort by it, from old to new.
 */
export async function takeTarget(
  table: Table,
  { account, id }: RunRef,
  target: string,
  { order, now }: { order: string; now: Date },
): Promise<"busy" | { isOlder: boolean }> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: targetKey(account, target),
    UpdateExpression: "SET holder = :id, held_until = :until",
    ConditionExpression: "attribute_not_exists(holder) OR holder = :id OR held_until < :now",
    ExpressionAttributeValues: {
      ":id": id,
      ":until": new Date(now.getTime() + CLAIM_MS).toISOString(),
      ":now": now.toISOString(),
    },
    ReturnValues: "ALL_NEW",
  });
  const taken = await unlessConditionFails(table.db.send(update));
  if (taken === undefined) return "busy";
  const { newest } = taken.Attributes as Target;
  return { isOlder: newest !== undefined && newest > order };
}

/** Gives a destination back. `newest`: the order of the run whose rows it has now; undefined: as before. */
export async function leaveTarget(
  table: Table,
  { account, id }: RunRef,
  target: string,
  newest: string | undefined,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: targetKey(account, target),
    UpdateExpression: `${newest === undefined ? "" : "SET newest = :newest "}REMOVE holder, held_until`,
    ConditionExpression: "holder = :id",
    ExpressionAttributeValues: { ":id": id, ...(newest !== undefined && { ":newest": newest }) },
  });
  // If another delivery has taken it in the meantime, it stays with that one.
  await unlessConditionFails(table.db.send(update));
}
