import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Row } from "../contract/run.ts";
import type { StoredRows } from "../runs/run.ts";
import { accountPartition, queryAll, type Table } from "./table.ts";

/*
 * A run's rows are one text, the content of a JSON array (`{…},{…}`), split into compressed pieces at any byte. So a row
 * may be larger than an item, and a reader forwards the text without parsing it. Full pieces are separate items; the rest
 * is the tail in the run's own item, which is enough for a small run.
 */

/** The size of a piece before compression. */
const PIECE_BYTES = 512 * 1024;
/** The largest compressed piece: well under DynamoDB's limit of 400 KB per item. */
const MAX_ITEM_BYTES = 360 * 1024;
/** The largest compressed tail: 51 runs with such tails fit into DynamoDB's limit of 1 MB per Query. */
const MAX_TAIL_BYTES = 16 * 1024;
/** Pieces per read, which a reader holds in memory. */
const PIECES_PER_READ = 2;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const partition = (account: string, runId: string) => `${accountPartition(account)}#RUN#${runId}#ROWS`;
const pieceKey = (attempt: number, piece: number) =>
  `${String(attempt).padStart(6, "0")}#${String(piece).padStart(9, "0")}`;

/**
 * Collects the rows of one attempt at a run. A stored piece has no effect until the run's own item names it, so the pieces
 * of an attempt that has lost the run do no harm.
 */
export class RowWriter {
  readonly #table: Table;
  readonly #run: { account: string; id: string; attempt: number };
  readonly #stored: StoredRows;
  #text: Buffer[] = [];
  #textBytes = 0;
  #pieces = 0;

  private constructor(
    table: Table,
    run: { account: string; id: string; attempt: number },
    stored: StoredRows,
  ) {
    this.#table = table;
    this.#run = run;
    this.#stored = { row_count: stored.row_count, segments: [...stored.segments] };
  }

  /** Continues after the rows that an earlier attempt stored. */
  static async open(
    table: Table,
    run: { account: string; id: string; attempt: number },
    stored: StoredRows,
  ): Promise<RowWriter> {
    const writer = new RowWriter(table, run, stored);
    if (stored.tail !== undefined) writer.#push(await decompress(stored.tail));
    return writer;
  }

  get rowCount(): number {
    return this.#stored.row_count;
  }

  /** Adds rows and stores pieces as they become full. */
  async append(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#push(Buffer.from((this.#stored.row_count === 0 ? "" : ",") + JSON.stringify(row)));
      this.#stored.row_count += 1;
      if (this.#textBytes >= PIECE_BYTES) await this.#putPieces();
    }
  }

  /** Stores all rows appended so far, and returns what the run's item has to contain about them. */
  async flush(): Promise<StoredRows> {
    if (this.#textBytes === 0) return { ...this.#stored, tail: undefined };
    const tail = await compress(Buffer.concat(this.#text));
    if (tail.length <= MAX_TAIL_BYTES) return { ...this.#stored, tail };
    await this.#putPieces();
    return { ...this.#stored, tail: undefined };
  }

  #push(text: Buffer): void {
    this.#text.push(text);
    this.#textBytes += text.length;
  }

  async #putPieces(): Promise<void> {
    const text = Buffer.concat(this.#text);
    this.#text = [];
    this.#textBytes = 0;
    for (let at = 0; at < text.length; at += PIECE_BYTES)
      await this.#put(text.subarray(at, at + PIECE_BYTES));
  }

  /** Stores one piece, in halves if it does not compress well enough for one item. */
  async #put(text: Buffer): Promise<void> {
    const data = await compress(text);
    if (data.length > MAX_ITEM_BYTES) {
      const half = text.length >> 1;
      await this.#put(text.subarray(0, half));
      await this.#put(text.subarray(half));
      return;
    }
    const { account, id, attempt } = this.#run;
    const Item = { pk: partition(account, id), sk: pieceKey(attempt, this.#pieces), data };
    await this.#table.db.send(new PutCommand({ TableName: this.#table.name, Item }));
    const last = this.#stored.segments.at(-1);
    if (last?.attempt === attempt) last.to = this.#pieces;
    else this.#stored.segments.push({ attempt, from: this.#pieces, to: this.#pieces });
    this.#pieces += 1;
  }
}

/** The rows of a run as text, the content of a JSON array, a few pieces at a time. */
export async function* readRows(
  table: Table,
  run: { account: string; id: string } & StoredRows,
): AsyncGenerator<Buffer> {
  for (const { attempt, from, to } of run.segments) {
    const pieces = queryAll<{ data: Uint8Array }>(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": partition(run.account, run.id),
        ":from": pieceKey(attempt, from),
        ":to": pieceKey(attempt, to),
      },
      Limit: PIECES_PER_READ,
      ConsistentRead: true,
    });
    for await (const { data } of pieces) yield await decompress(data);
  }
  if (run.tail !== undefined) yield await decompress(run.tail);
}
