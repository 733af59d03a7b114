import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Row } from "../contract/run.ts";
import type { Segment, StoredRows, StoredRun } from "../runs/run.ts";
import { runKeys } from "./run-keys.ts";
import { accountPartition, queryAll, type Table, unlessConditionFails } from "./table.ts";

/*
 * A run's rows are one text, the content of a JSON array (`{…},{…}`), split into compressed pieces at any byte. So a row
 * may be larger than an item, and a reader forwards the text without parsing it. A piece is written once, and has no
 * effect until the run's state names it. The rows of a small run are added to its head when it ends, so that a page of a
 * list needs no further requests.
 */

/** The size of a piece before compression. */
const PIECE_BYTES = 512 * 1024;
/** The largest compressed piece: well under DynamoDB's limit of 400 KB per item. */
const MAX_ITEM_BYTES = 360 * 1024;
/** The largest compressed rows in a run's head: 51 such runs fit into DynamoDB's limit of 1 MB per Query. */
const MAX_INLINE_BYTES = 16 * 1024;
/** Longer texts are not even compressed to see whether they fit into a run's head. */
const MAX_INLINE_TEXT = 256 * 1024;
/** Pieces per read, which a reader holds in memory. */
const PIECES_PER_READ = 2;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export const rowsPartition = (account: string, runId: string) =>
  `${accountPartition(account)}#RUN#${runId}#ROWS`;
const pieceKey = (attempt: number, piece: number) =>
  `${String(attempt).padStart(6, "0")}#${String(piece).padStart(9, "0")}`;

/** Not all rows of a run are stored, or more than the run names. */
export class RowsDamaged extends Error {
  override readonly name = "RowsDamaged";
}

/** Collects and stores the rows of one attempt at a run. After a failed write, the next one stores the same rows. */
export class RowWriter {
  readonly #table: Table;
  readonly #run: { account: string; id: string; attempt: number };
  /** What earlier attempts have stored. */
  readonly #before: StoredRows;
  readonly #segments: Segment[];
  #rowCount: number;
  #rowBytes: number;
  /** Rows that are in no piece yet. */
  #text: Buffer[] = [];
  #textBytes = 0;
  /** All rows of this attempt, as long as they may fit into the run's head. */
  #all: Buffer[] | undefined = [];
  #pieces = 0;

  constructor(table: Table, run: { account: string; id: string; attempt: number }, stored: StoredRows) {
    this.#table = table;
    this.#run = run;
    this.#before = stored;
    this.#segments = [...stored.segments];
    this.#rowCount = stored.row_count;
    this.#rowBytes = stored.row_bytes;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Whether there are enough rows for a piece. */
  get isFull(): boolean {
    return this.#textBytes >= PIECE_BYTES;
  }

  append(rows: readonly Row[]): void {
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
    const text = Buffer.concat(this.#text);
    for (let at = 0; at < text.length; ) {
      at += await this.#putPiece(text.subarray(at, at + PIECE_BYTES));
      this.#text = [text.subarray(at)];
      this.#textBytes = text.length - at;
    }
    return { row_count: this.#rowCount, row_bytes: this.#rowBytes, segments: [...this.#segments] };
  }

  /** The same for the last time: few rows are stored in the run's head. */
  async finish(): Promise<StoredRows> {
    return (await this.#putInline()) ?? (await this.flush());
  }

  /** Stores as much of the text in one piece as fits into an item, and returns how many bytes that were. */
  async #putPiece(text: Buffer): Promise<number> {
    const data = await compress(text);
    if (data.length > MAX_ITEM_BYTES) return this.#putPiece(text.subarray(0, text.length >> 1));
    const { account, id, attempt } = this.#run;
    const Item = { pk: rowsPartition(account, id), sk: pieceKey(attempt, this.#pieces), data };
    await this.#table.db.send(new PutCommand({ TableName: this.#table.name, Item }));
    const last = this.#segments.at(-1);
    if (last?.attempt === attempt) this.#segments[this.#segments.length - 1] = { ...last, to: this.#pieces };
    else this.#segments.push({ attempt, from: this.#pieces, to: this.#pieces });
    this.#pieces += 1;
    return text.length;
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

/**
 * The rows of a run as text, the content of a JSON array, a few pieces at a time.
 * @throws RowsDamaged as soon as it is certain that the text is not the one that was stored
 */
export async function* readRows(
  table: Table,
  run: { account: string; id: string } & StoredRows & Pick<StoredRun, "rows">,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const data of piecesOf(table, run)) {
    const text = await decompress(data);
    bytes += text.length;
    yield text;
  }
  if (bytes !== run.row_bytes) throw damaged(run, `they have ${bytes} of ${run.row_bytes} bytes`);
}

async function* piecesOf(
  table: Table,
  run: { account: string; id: string } & StoredRows & Pick<StoredRun, "rows">,
): AsyncGenerator<Uint8Array> {
  if (run.inline_rows !== undefined) {
    if (run.rows?.attempt !== run.inline_rows) throw damaged(run, "they are not stored with the run");
    yield run.rows.data;
    return;
  }
  for (const { attempt, from, to } of run.segments) {
    let expected = from;
    const pieces = queryAll<{ sk: string; data: Uint8Array }>(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": rowsPartition(run.account, run.id),
        ":from": pieceKey(attempt, from),
        ":to": pieceKey(attempt, to),
      },
      Limit: PIECES_PER_READ,
      ConsistentRead: true,
    });
    for await (const { sk, data } of pieces) {
      if (sk !== pieceKey(attempt, expected)) break;
      expected += 1;
      yield data;
    }
    if (expected <= to) throw damaged(run, `piece ${expected} of attempt ${attempt} is missing`);
  }
}

const damaged = ({ id }: { id: string }, what: string) =>
  new RowsDamaged(`The stored rows of run ${id} are damaged: ${what}.`);
