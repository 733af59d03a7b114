import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Row } from "../contract/run.ts";
import type { StoredRows } from "../runs/run.ts";
import { accountPartition, queryAll, type Table } from "./table.ts";

/*
 * A run's rows are one text, the inside of a JSON array (`{…},{…}`), cut into compressed pieces at any byte: so a
 * row may be larger than an item, and a reader passes the text on without parsing it. Full pieces are items of
 * their own; what is left over stands in the run's own item, which is all that a small run ever needs.
 */

/** Text that makes one stored piece, before compression. */
const PIECE_BYTES = 512 * 1024;
/** The largest compressed piece: well under DynamoDB's 400 KB an item. */
const MAX_ITEM_BYTES = 360 * 1024;
/** The largest compressed rest kept in the run's item: a page of 51 such runs fits DynamoDB's 1 MB a Query. */
const MAX_TAIL_BYTES = 16 * 1024;
/** Pieces read at once: what a reader holds in memory. */
const PIECES_PER_READ = 2;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const partition = (account: string, runId: string) => `${accountPartition(account)}#RUN#${runId}#ROWS`;
const pieceKey = (attempt: number, piece: number) =>
  `${String(attempt).padStart(6, "0")}#${String(piece).padStart(9, "0")}`;

/**
 * Collects the rows of one attempt at a run. A piece that was put counts for nothing until the run's own item
 * names it, so an attempt that has lost the run can put what it likes.
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

  /** Goes on behind the rows that an earlier attempt stored. */
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

  /** Adds rows; full pieces are put as they come. */
  async append(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#push(Buffer.from((this.#stored.row_count === 0 ? "" : ",") + JSON.stringify(row)));
      this.#stored.row_count += 1;
      if (this.#textBytes >= PIECE_BYTES) await this.#putPieces();
    }
  }

  /** What the run's item has to say about its rows, with everything appended so far stored or in the tail. */
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

  /** Puts one piece, in halves where it does not compress well enough for one item. */
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

/** The rows of a run as text, the inside of a JSON array, a few pieces at a time. */
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
