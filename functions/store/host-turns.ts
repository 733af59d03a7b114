import { GetCommand, UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import type { HostTurns } from "../scraping/scrape.ts";
import { accountPartition, type Table, TTL_ATTRIBUTE, unlessConditionFails } from "./table.ts";

/** Expired long after it has no say any more: what counts is the time that it holds. */
const KEEP_SECONDS = 24 * 60 * 60;

/**
 * When an account's runs may load pages of each host: one item a host, with the time of its next free turn. Accounts
 * know nothing of each other's.
 */
export function hostTurns(table: Table, account: string, now: () => Date): HostTurns {
  const { db, name: TableName } = table;
  const keyOf = (host: string) => ({ pk: `${accountPartition(account)}#HOST#${host}`, sk: "HOST" });
  /** When each host's next turn was, as this run last heard. */
  const heard = new Map<string, number>();

  const read = async (host: string): Promise<number> => {
    const { Item } = await db.send(new GetCommand({ TableName, Key: keyOf(host), ConsistentRead: true }));
    return Item?.opens_at ?? 0;
  };

  /** Sets `opens_at` under a condition; what it is then, or undefined where the condition did not hold. */
  const update = async (
    host: string,
    set: string,
    condition: string,
    values: Record<string, number>,
  ): Promise<number | undefined> => {
    const input: UpdateCommandInput = {
      TableName,
      Key: keyOf(host),
      UpdateExpression: `SET opens_at = ${set}, ${TTL_ATTRIBUTE} = :expires`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ...values,
        ":expires": Math.ceil(now().getTime() / 1_000) + KEEP_SECONDS,
      },
      ReturnValues: "UPDATED_NEW",
    };
    return (await unlessConditionFails(db.send(new UpdateCommand(input))))?.Attributes?.opens_at;
  };

  return {
    opensAt: read,
    async take(host, delayMs, latest) {
      const takeFree = (time: number) =>
        update(host, ":now + :delay", "attribute_not_exists(opens_at) OR opens_at <= :now", {
          ":now": time,
          ":delay": delayMs,
        });
      const queueUp = (time: number) =>
        update(host, "opens_at + :delay", "opens_at > :now AND opens_at <= :latest", {
          ":now": time,
          ":latest": latest,
          ":delay": delayMs,
        });
      for (;;) {
        const time = now().getTime();
        const isBusy = (heard.get(host) ?? 0) > time;
        const next =
          (await (isBusy ? queueUp : takeFree)(time)) ?? (await (isBusy ? takeFree : queueUp)(time));
        if (next !== undefined) {
          heard.set(host, next);
          return next - delayMs;
        }
        const opensAt = await read(host);
        if (opensAt > latest) return opensAt;
      }
    },
    async close(host, until) {
      await update(host, ":until", "attribute_not_exists(opens_at) OR opens_at < :until", {
        ":until": until,
      });
    },
  };
}
