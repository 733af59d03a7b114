import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredDelivery } from "../../deliveries/delivery.ts";
import type { ScraperHealth } from "../../hooks/health.ts";
import type { StoredAlert } from "../../hooks/hook.ts";
import type { OpenEnd, RunRef } from "../../runs/run.ts";
import { deliveryPut } from "../deliveries.ts";
import { NOT_DUE, writeStateWith } from "../runs/state-write.ts";
import type { Table, Write } from "../table.ts";
import { alertPut } from "./alerts.ts";
import { healthKey, lowCreditsKey } from "./hook-keys.ts";

export async function readHealth(
  { db, name: TableName }: Table,
  account: string,
  scraperId: string,
): Promise<ScraperHealth | undefined> {
  const Key = healthKey(account, scraperId);
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item as ScraperHealth | undefined;
}

/** For which month and which limit an account was told that its credits are low. */
export interface LowCredits {
  month: string;
  limit: number;
}

export async function readLowCredits(
  { db, name: TableName }: Table,
  account: string,
): Promise<LowCredits | undefined> {
  const { Item } = await db.send(
    new GetCommand({ TableName, Key: lowCreditsKey(account), ConsistentRead: true }),
  );
  return Item as LowCredits | undefined;
}

/** What is told of the end of a run or a batch. The new values replace the ones that were read before. */
export interface Report {
  alerts: readonly StoredAlert[];
  deliveries: readonly StoredDelivery[];
  health?: { scraperId: string; before: ScraperHealth | undefined; after: ScraperHealth };
  credits?: { before: LowCredits | undefined; after: LowCredits };
}

/**
 * Stores a report of an end, all or nothing, so that each end is reported once. False if the end was reported, or if
 * somebody has changed what the report is based on.
 */
export function storeReport(
  table: Table,
  subject: RunRef & OpenEnd,
  { alerts, deliveries, health, credits }: Report,
): Promise<boolean> {
  const { account } = subject;
  const others: Write[] = [
    ...alerts.map((alert) => alertPut(table, alert)),
    ...deliveries.map((delivery) => deliveryPut(table, delivery)),
  ];
  if (health !== undefined) {
    const { scraperId, before, after } = health;
    others.push(replace(table, healthKey(account, scraperId), { ...after }, "end", before?.end));
  }
  if (credits !== undefined) {
    const { before, after } = credits;
    const stored = { ...after, told: toldOf(after) };
    others.push(replace(table, lowCreditsKey(account), stored, "told", before && toldOf(before)));
  }
  const write = {
    // What else is open stays due.
    set: { unreported: undefined, ...(subject.undelivered ? {} : NOT_DUE) },
    condition: `attribute_exists(#unreported) AND ${subject.undelivered ? "attribute_exists" : "attribute_not_exists"}(#undelivered)`,
  };
  return writeStateWith(table, subject, write, others);
}

const toldOf = ({ month, limit }: LowCredits) => `${month} ${limit}`;

/** Puts an item, if the attribute `name` of the stored one still is `before`; undefined: there is none. */
const replace = (
  { name: TableName }: Table,
  key: object,
  item: Record<string, unknown>,
  name: string,
  before: string | undefined,
): Write => ({
  Put: {
    TableName,
    Item: { ...key, ...item },
    ConditionExpression: before === undefined ? "attribute_not_exists(pk)" : "#name = :before",
    ...(before !== undefined && {
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":before": before },
    }),
  },
});
