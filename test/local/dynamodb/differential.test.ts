import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect } from "@jest/globals";
import { RESERVED_WORDS } from "../../../local/dynamodb/reserved-words.ts";
import { seeded } from "../../e2e/chaos/random.ts";
import { startTables } from "../../functions/store/engines.ts";
import { RandomRequests, scanFor } from "./random-requests.ts";

/* The local table beside an implementation by others: what one request leads to, and what the next ones read. */
const REQUESTS = 800;
const SEED = Number(process.env.SEED ?? 1);

const [local, other] = await startTables();
if (local === undefined || other === undefined) throw new Error("There are two engines.");

/** What a request led to: the name of the error, or the response. */
async function outcome(client: Pick<DynamoDBClient, "send">, command: object): Promise<unknown> {
  try {
    return normal(await client.send(command as never));
  } catch (error) {
    const { name, CancellationReasons, Item } = error as Error & {
      CancellationReasons?: { Code?: string; Item?: unknown }[];
      Item?: unknown;
    };
    const reasons = CancellationReasons?.map(({ Code, Item }) => ({ Code, Item: normal(Item) }));
    return { error: name, reasons, item: normal(Item) };
  }
}

/** Fields that DynamoDB leaves out, or that only one of both returns. */
const IGNORED = new Set([
  "$metadata",
  "UnprocessedKeys",
  "UnprocessedItems",
  "ReadCapacityUnits",
  "WriteCapacityUnits",
]);

/** The response with sets and the items of a batch in one order: they have none. */
function normal(value: unknown, name = ""): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) {
    const all = value.map((one) => normal(one));
    if (!["SS", "NS", "BS", local?.table.name].includes(name)) return all;
    return all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .filter(([key, one]) => !IGNORED.has(key) && one !== undefined)
    .toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(kept.map(([key, one]) => [key, normal(one, key)]));
}

other.test(
  "random requests have the same outcome on both",
  async () => {
    const requests = new RandomRequests(seeded(SEED), local.table.name);
    const counts: Record<string, number> = {};
    for (let count = 0; count < REQUESTS; count += 1) {
      const command = requests.next();
      const ours = await outcome(local.table.db, command);
      const theirs = await outcome(other.table.db, command);
      expect({ count, input: command.input, outcome: ours }).toEqual({
        count,
        input: command.input,
        outcome: theirs,
      });
      const kind = `${command.constructor.name}: ${(ours as { error?: string }).error ?? "done"}`;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    // Both kinds of outcomes are frequent, so the requests are worth comparing.
    for (const name of ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"]) {
      const failed = name === "TransactWriteItems" ? "TransactionCanceled" : "ConditionalCheckFailed";
      expect(counts[`${name}Command: done`]).toBeGreaterThan(10);
      expect(counts[`${name}Command: ${failed}Exception`]).toBeGreaterThan(10);
    }
  },
  180_000,
);

other.test(
  "both refuse the same names",
  async () => {
    expect(RESERVED_WORDS.size).toBe(573);
    const free = ["pk", "sk", "due", "due_at", "place", "attempt", "claims", "expires_at", "window_count"];
    for (const word of [...RESERVED_WORDS, ...free]) {
      const command = scanFor(local.table.name, `attribute_exists(${word.toLowerCase()})`);
      const ours = await outcome(local.table.db, command);
      expect({ word, outcome: ours }).toEqual({ word, outcome: await outcome(other.table.db, command) });
      expect({ word, isReserved: (ours as { error?: string }).error === "ValidationException" }).toEqual({
        word,
        isReserved: RESERVED_WORDS.has(word),
      });
    }
  },
  180_000,
);
