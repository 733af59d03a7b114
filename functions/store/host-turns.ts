import { GetCommand, UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import type { HostTurns } from "../runs/host-turns.ts";
import { accountPartition, type Table, TTL_ATTRIBUTE, unlessConditionFails } from "./table.ts";

/** Items expire long after their times have passed. */
const KEEP_SECONDS = 24 * 60 * 60;
/** The clocks of two processes differ by less than this. */
const SKEW_SECONDS = 5 * 60;

/** The state of a host; times are in ms since the epoch. */
interface HostItem {
  /** When the next turn is available. */
  opens_at?: number;
  /** Until when the host accepts no requests. */
  closed_until?: number;
}

/**
 * When an account's runs may load pages of each host: one item per host and account.
 */
export function hostTurns(table: Table, account: string, now: () => Date): HostTurns {
  const { db, name: TableName } = table;
  const keyOf = (host: string) => ({ pk: `${accountPartition(account)}#HOST#${host}`, sk: "HOST" });
  /** The time of each host's next turn, as last read by this run. */
  const lastRead = new Map<string, number>();

  const expiry = () => Math.ceil(now().getTime() / 1_000) + KEEP_SECONDS;

  /** An item that expires too late has the times of a clock that was ahead. They are reset. */
  const read = async (host: string): Promise<HostItem> => {
    const { Item } = await db.send(new GetCommand({ TableName, Key: keyOf(host), ConsistentRead: true }));
    const latest = expiry() + SKEW_SECONDS;
    if (Item === undefined || Item[TTL_ATTRIBUTE] <= latest) return Item ?? {};
    const values = { ":never": 0, ":latest": latest };
    await update(host, "opens_at = :never, closed_until = :never", `${TTL_ATTRIBUTE} > :latest`, values);
    return {};
  };

  /** Updates a host's item under a condition. Returns the changed attributes, or undefined if the condition failed. */
  const update = async (
    host: string,
    set: string,
    condition: string,
    values: Record<string, number>,
  ): Promise<HostItem | undefined> => {
    const input: UpdateCommandInput = {
      TableName,
      Key: keyOf(host),
      UpdateExpression: `SET ${set}, ${TTL_ATTRIBUTE} = :expires`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ...values,
        ":expires": expiry(),
      },
      ReturnValues: "UPDATED_NEW",
    };
    return (await unlessConditionFails(db.send(new UpdateCommand(input))))?.Attributes;
  };

  return {
    async closedUntil(host) {
      return (await read(host)).closed_until ?? 0;
    },
    async take(host, delayMs, latest) {
      const takeFree = (time: number) =>
        update(host, "opens_at = :now + :delay", "attribute_not_exists(opens_at) OR opens_at <= :now", {
          ":now": time,
          ":delay": delayMs,
        });
      const queueUp = (time: number) =>
        update(host, "opens_at = opens_at + :delay", "opens_at > :now AND opens_at <= :latest", {
          ":now": time,
          ":latest": latest,
          ":delay": delayMs,
        });
      for (;;) {
        const time = now().getTime();
        const isBusy = (lastRead.get(host) ?? 0) > time;
        const taken =
          (await (isBusy ? queueUp : takeFree)(time)) ?? (await (isBusy ? takeFree : queueUp)(time));
        if (taken?.opens_at !== undefined) {
          lastRead.set(host, taken.opens_at);
          return taken.opens_at - delayMs;
        }
        const { opens_at: opensAt = 0 } = await read(host);
        if (opensAt > latest) return opensAt;
      }
    },
    async close(host, until) {
      const values = { ":until": until };
      const isNew = (name: keyof HostItem) => `(attribute_not_exists(${name}) OR ${name} < :until)`;
      const all = "opens_at = :until, closed_until = :until";
      if (
        (await update(host, all, `${isNew("opens_at")} AND ${isNew("closed_until")}`, values)) === undefined
      )
        await update(host, "closed_until = :until", isNew("closed_until"), values);
    },
  };
}
