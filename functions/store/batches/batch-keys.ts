import type { RunRef } from "../../runs/run.ts";
import { isBatchId, numberKey, numberOf } from "../runs/numbering.ts";
import { accountPartition } from "../table.ts";

/*
 * A batch is one small item, which each change rewrites. What never changes and may be large (its scraper, its inputs, and
 * the results of inputs that have finished) is in a partition of its own.
 */

export const batchesPartition = (account: string) => `${accountPartition(account)}#BATCHES`;

/** Undefined for a text that is not the id of a batch. */
export function batchKey({ account, id }: RunRef): { pk: string; sk: string } | undefined {
  return isBatchId(id) ? { pk: batchesPartition(account), sk: numberKey(numberOf(id) ?? 0) } : undefined;
}

/** The partition with the rest of a batch. */
export const batchPartition = ({ account, id }: RunRef) => `${accountPartition(account)}#BATCH#${id}`;

/**
 * The keys in that partition have the writer of the batch, so that two requests that store the same batch at the same
 * time do not mix their inputs: the batch names one of them. What the other one has stored is deleted with the batch.
 */
export const headKey = (batch: RunRef & { writer: string }) => ({
  pk: batchPartition(batch),
  sk: `HEAD#${batch.writer}`,
});

/** A note about a block of inputs, from the one with this index on. The notes follow the head. */
export const noteKey = (batch: RunRef & { writer: string }, first: number) => ({
  pk: batchPartition(batch),
  sk: `HEAD#${batch.writer}#${numberKey(first)}`,
});

/** A piece of the inputs, from the one with this index on. */
export const pieceKey = (batch: RunRef & { writer: string }, first: number) => ({
  pk: batchPartition(batch),
  sk: `INPUTS#${batch.writer}#${numberKey(first)}`,
});

/** The index in the key of a note or a piece. */
export const indexIn = (sk: string): number => Number(sk.split("#")[2]);
