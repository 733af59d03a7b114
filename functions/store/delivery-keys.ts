import { createHash } from "node:crypto";
import type { RunRef } from "../runs/run.ts";
import { isDeliveryId } from "./runs/numbering.ts";
import { accountPartition } from "./table.ts";

/*
 * The id of a delivery follows from its run or batch and its place among the destinations. So the deliveries of a run are
 * read by their keys. The partition also has an item for each destination that gets the rows of one run at a time.
 */

export const deliveriesPartition = (account: string) => `${accountPartition(account)}#DELIVERIES`;

/** Undefined for an id that is not that of a delivery. */
export const deliveryKey = ({ account, id }: RunRef): { pk: string; sk: string } | undefined =>
  isDeliveryId(id) ? { pk: deliveriesPartition(account), sk: id } : undefined;

/** `target`: identifies a destination. */
export const targetKey = (account: string, target: string) => ({
  pk: deliveriesPartition(account),
  sk: `TARGET#${createHash("sha256").update(target).digest("base64url")}`,
});
