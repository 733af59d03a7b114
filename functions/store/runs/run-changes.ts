import type { RunRef, StoredChanges } from "../../runs/run.ts";
import { readLines } from "../pieces.ts";
import { accountPartition, type Table } from "../table.ts";

export const changesPartition = ({ account, id }: RunRef) => `${accountPartition(account)}#RUN#${id}#CHANGES`;

/** The changes of a run, each as JSON. @throws PiecesMissing */
export const readChanges = (table: Table, run: RunRef, { stored }: StoredChanges): AsyncGenerator<Buffer> =>
  readLines(table, changesPartition(run), stored);
