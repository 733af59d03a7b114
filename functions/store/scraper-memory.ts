import { randomBytes } from "node:crypto";
import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { deletePartition } from "./delete-items.ts";
import { type PiecesRef, readPieces } from "./pieces.ts";
import { accountPartition, type Table } from "./table.ts";

/*
 * What a scraper's good runs had: the baseline that the next run is compared with, the keys that were ever seen, and the
 * figures of the last runs. The head is small. It names the pieces with the keys, and with the rows that the newest good run
 * lacked. It is only replaced as a whole, in the transaction that ends a run, and only if no other run has replaced it in
 * the meantime. Pieces that a run has stored in vain expire.
 */

/** Seconds that a memory is kept after the last run that has changed it. */
const KEPT_S = 400 * 24 * 3600;

/** The figures of a run: how many rows it had, and how many of them have a value for each field, in the order of the fields. */
export interface RunFigures {
  run: string;
  rows: number;
  filled: number[];
  /** Whether they are less than usual. */
  isLess?: true;
}

/** The rows with which the next runs are compared. */
export interface Baseline {
  /** The run that has these rows. */
  run: string;
  /** Its number among the runs of its scraper. */
  number: number;
  /** How many rows it has. Indexes from here on are of missing rows. */
  rows: number;
  /** What the rows depend on: another definition has another baseline. */
  definition: string;
  /** The fields that the digests of contents leave out. */
  ignored: string[];
  /** The texts of the missing rows, each as JSON on a line. */
  missingRows: PiecesRef;
}

export interface ScraperMemory {
  /** Changes with each write. */
  revision: string;
  baseline?: Baseline;
  /** The keys of the baseline's rows and all others that were seen: entries of `RowIndex`. */
  keys: PiecesRef;
  /** The figures of the last runs that were as usual, and of those with less after them; and the definition that they are of. */
  usual: RunFigures[];
  usualOf: string;
}

export interface MemoryRef {
  account: string;
  scraper_id: string;
}

/** Partitions of memories, as a pattern. */
export const MEMORY_PARTITIONS = "#MEMORY#*";

export const memoryPartition = ({ account, scraper_id }: MemoryRef) =>
  `${accountPartition(account)}#MEMORY#${scraper_id}`;

const headKey = (ref: MemoryRef) => ({ pk: memoryPartition(ref), sk: "HEAD" });

/** Undefined if nothing is known. */
export async function readMemory(
  { db, name: TableName }: Table,
  ref: MemoryRef,
  now: Date,
): Promise<ScraperMemory | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: headKey(ref), ConsistentRead: true }));
  if (Item === undefined || Item.expires_at * 1000 <= now.getTime()) return undefined;
  return Item as ScraperMemory;
}

/** When what is stored now expires, in seconds since the epoch. */
export const memoryExpiry = (now: Date): number => Math.ceil(now.getTime() / 1000) + KEPT_S;

/** Replaces a memory, if it still is `before`; for a transaction. */
export const memoryWrite = (
  { name: TableName }: Table,
  ref: MemoryRef,
  memory: Omit<ScraperMemory, "revision">,
  { before, now }: { before: ScraperMemory | undefined; now: Date },
) => ({
  Put: {
    TableName,
    Item: {
      ...headKey(ref),
      ...memory,
      revision: randomBytes(9).toString("base64url"),
      expires_at: memoryExpiry(now),
    },
    // An item that has expired may still be there.
    ConditionExpression:
      before === undefined ? "attribute_not_exists(pk) OR expires_at <= :now" : "revision = :revision",
    ExpressionAttributeValues:
      before === undefined ? { ":now": Math.floor(now.getTime() / 1000) } : { ":revision": before.revision },
  },
});
export type MemoryWrite = ReturnType<typeof memoryWrite>;

/** The keys that a memory names, a piece at a time. @throws PiecesMissing */
export const readKeys = (table: Table, ref: MemoryRef, { keys }: ScraperMemory): AsyncGenerator<Buffer> =>
  readPieces(table, memoryPartition(ref), keys);

/** Forgets what the runs of a scraper had. */
export async function deleteMemory(table: Table, ref: MemoryRef): Promise<void> {
  await table.db.send(new DeleteCommand({ TableName: table.name, Key: headKey(ref) }));
  await deletePartition(table, memoryPartition(ref));
}
