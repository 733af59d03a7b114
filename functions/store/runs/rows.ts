import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Segment, StoredRows, StoredRun } from "../../runs/run.ts";
import { type Table, unlessConditionFails } from "../table.ts";
import { type RunRows, readRows } from "./read-rows.ts";
import { pieceKey, rowsPartition } from "./rows-keys.ts";
import { runKeys } from "./run-keys.ts";

/*
 * A run's rows are one text, the content of a JSON array (`{…},{…}`), split into compressed pieces. A piece begins and ends
 * with a row, and its key has the index of its first row, so that any row is found with one request. A row larger than a
 * piece has pieces of its own. A piece is written once, and has no effect until the run's state names it. The rows of a
 * small run are added to its head when it ends, so that a page of a list needs no further requests.
 */

/** The size of a piece before compression. */
const PIECE_BYTES = 512 * 1024;
/** The largest compressed piece: well under DynamoDB's limit of 400 KB per item. */
const MAX_ITEM_BYTES = 360 * 1024;
/** The largest compressed rows in a run's head: 51 such runs fit into DynamoDB's limit of 1 MB per Query. */
const MAX_INLINE_BYTES = 16 * 1024;
/** Longer texts are not even compressed to see whether they fit into a run's head. */
const MAX_INLINE_TEXT = 256 * 1024;
const compress = promisify(gzip);

/** The attempt at a run that stores rows. */
type Writer = Pick<StoredRun, "account" | "id" | "attempt" | "expires_at"> & Pick<RunRows, "partition">;

/** Collects and stores the rows of one attempt at a run. After a failed write, the next one stores the same rows. */
export class RowWriter {
  readonly #table: Table;
  readonly #run: Writer;
  /** What earlier attempts have stored. */
  readonly #before: StoredRows;
  readonly #segments: Segment[];
  #rowCount: number;
  #rowBytes: number;
  /** Rows that are in no piece yet. The first one may be the rest of a row that is larger than a piece. */
  #text: Buffer[] = [];
  #textBytes = 0;
  #isRest = false;
  /** The index of the first whole row in the text. */
  #firstRow: number;
  /** All rows of this attempt, as long as they may fit into the run's head. */
  #all: Buffer[] | undefined = [];
  #pieces = 0;

  constructor(table: Table, run: Writer, stored: StoredRows) {
    this.#table = table;
    this.#run = run;
    this.#before = stored;
    this.#segments = [...stored.segments];
    this.#rowCount = stored.row_count;
    this.#firstRow = stored.row_count;
    this.#rowBytes = stored.row_bytes;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** The rows as JSON, in bytes, those of earlier attempts included. */
  get rowBytes(): number {
    return this.#rowBytes;
  }

  /** Whether there are enough rows for a piece. */
  get isFull(): boolean {
    return this.#textBytes >= PIECE_BYTES;
  }

  append(rows: readonly object[]): void {
    for (const row of rows) {
      const text = Buffer.from((this.#rowCount === 0 ? "" : ",") + JSON.stringify(row));
      this.#text.push(text);
      this.#textBytes += text.length;
      this.#rowBytes += text.length;
      this.#rowCount += 1;
      this.#all?.push(text);
    }
    if (this.#rowBytes > MAX_INLINE_TEXT) this.#all = undefined;
  }

  /** Stores all rows appended so far, and returns what the run's state has to contain about them. */
  async flush(): Promise<StoredRows> {
    while (this.#text.length > 0) await this.#storeSome();
    return { row_count: this.#rowCount, row_bytes: this.#rowBytes, segments: [...this.#segments] };
  }

  /** The same for the last time: few rows are stored in the run's head. */
  async finish(): Promise<StoredRows> {
    return (await this.#putInline()) ?? (await this.flush());
  }

  /** Returns what reads the text of all rows appended so far. It may be called several times. */
  async reader(): Promise<() => AsyncGenerator<Buffer>> {
    const [table, run, before, all] = [this.#table, this.#run, this.#before, this.#all && [...this.#all]];
    if (all === undefined) {
      const stored = await this.flush();
      return () => readRows(table, { ...run, ...stored });
    }
    return async function* () {
      yield* readRows(table, { ...run, ...before });
      yield* all;
    };
  }

  /** Stores as many rows as fit into one piece, or a part of the first one if that is too large. */
  async #storeSome(): Promise<void> {
    const [first = Buffer.alloc(0)] = this.#text;
    let count = this.#isRest ? 1 : this.#rowsWithin(PIECE_BYTES);
    for (; count > 0; count >>= 1) {
      const text = Buffer.concat(this.#text.slice(0, count));
      if (text.length > PIECE_BYTES || !(await this.#putPiece(text))) continue;
      this.#text.splice(0, count);
      this.#textBytes -= text.length;
      if (!this.#isRest) this.#firstRow += count;
      this.#isRest = false;
      return;
    }
    let bytes = Math.min(first.length, PIECE_BYTES);
    while (!(await this.#putPiece(first.subarray(0, bytes)))) bytes >>= 1;
    this.#text[0] = first.subarray(bytes);
    this.#textBytes -= bytes;
    if (!this.#isRest) this.#firstRow += 1;
    this.#isRest = true;
  }

  /** How many of the rows have at most so many bytes together; at least 1. */
  #rowsWithin(bytes: number): number {
    let sum = 0;
    const tooMany = this.#text.findIndex((row) => {
      sum += row.length;
      return sum > bytes;
    });
    return tooMany < 0 ? this.#text.length : Math.max(1, tooMany);
  }

  /** False if the text is too large for an item. */
  async #putPiece(text: Buffer): Promise<boolean> {
    const data = await compress(text);
    if (data.length > MAX_ITEM_BYTES) return false;
    const { account, id, attempt, expires_at, partition: pk = rowsPartition(account, id) } = this.#run;
    const row = this.#firstRow;
    const piece = this.#pieces;
    const Item = {
      pk,
      sk: pieceKey({ attempt, row, piece }),
      data,
      ...(expires_at !== undefined && { expires_at }),
    };
    await this.#table.db.send(new PutCommand({ TableName: this.#table.name, Item }));
    const last = this.#segments.at(-1);
    if (last?.attempt === attempt) this.#segments[this.#segments.length - 1] = { ...last, to: piece };
    else this.#segments.push({ attempt, from: piece, to: piece, row });
    this.#pieces += 1;
    return true;
  }

  /** Undefined if the rows are too many. */
  async #putInline(): Promise<StoredRows | undefined> {
    if (this.#all === undefined || this.#rowCount === 0) return undefined;
    const before = await Array.fromAsync(readRows(this.#table, { ...this.#run, ...this.#before }));
    const data = await compress(Buffer.concat([...before, ...this.#all]));
    if (data.length > MAX_INLINE_BYTES) return undefined;
    const { attempt } = this.#run;
    const update = new UpdateCommand({
      TableName: this.#table.name,
      Key: runKeys(this.#run)?.head,
      UpdateExpression: "SET #rows = :rows",
      // An attempt that has lost the run must not replace the rows of the one that has it now.
      ConditionExpression: "id = :id AND (attribute_not_exists(#rows) OR #rows.#attempt <= :attempt)",
      ExpressionAttributeNames: { "#rows": "rows", "#attempt": "attempt" },
      ExpressionAttributeValues: { ":id": this.#run.id, ":rows": { attempt, data }, ":attempt": attempt },
    });
    if ((await unlessConditionFails(this.#table.db.send(update))) === undefined) return undefined;
    return { row_count: this.#rowCount, row_bytes: this.#rowBytes, segments: [], inline_rows: attempt };
  }
}
