import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { deleteAll } from "./delete-items.ts";
import { numberKey } from "./runs/numbering.ts";
import { queryAll, type Table } from "./table.ts";

/*
 * A sequence of bytes in compressed pieces, in the order of their numbers. It has no effect until an item names it by what
 * its keys begin with and how many pieces it has.
 */

/** The most bytes in a piece before compression. Data that can't be compressed stays under DynamoDB's limit of 400 KB. */
const PIECE_BYTES = 340 * 1024;
/** Pieces per read, which a reader holds in memory. */
const PIECES_PER_READ = 2;
/** Keys that are deleted at a time. */
const AT_ONCE = 10;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Where a sequence is stored. */
export interface PiecesRef {
  /** What the sort keys of its pieces begin with. */
  prefix: string;
  pieces: number;
}

const keyOf = (pk: string, prefix: string, piece: number) => ({ pk, sk: `${prefix}#${numberKey(piece)}` });

/** The sequence is not stored as a whole. */
export class PiecesMissing extends Error {
  override readonly name = "PiecesMissing";
}

/** Stores a sequence, a piece at a time. */
export class PieceWriter {
  readonly #table: Table;
  readonly #pk: string;
  readonly #prefix: string;
  readonly #expiresAt: number | undefined;
  #pieces = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** What is stored, in bytes after compression. */
  bytes = 0;

  /** @param expiresAt when the pieces expire, in seconds since the epoch; undefined: never */
  constructor(table: Table, pk: string, prefix: string, expiresAt: number | undefined) {
    this.#table = table;
    this.#pk = pk;
    this.#prefix = prefix;
    this.#expiresAt = expiresAt;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= PIECE_BYTES) await this.#store(PIECE_BYTES);
  }

  async end(): Promise<PiecesRef> {
    await this.#store(1);
    return { prefix: this.#prefix, pieces: this.#pieces };
  }

  /** Stores pieces as long as so many bytes wait. */
  async #store(least: number): Promise<void> {
    const all = Buffer.concat(this.#waiting);
    let at = 0;
    for (; all.length - at >= least; at += PIECE_BYTES) await this.#put(all.subarray(at, at + PIECE_BYTES));
    this.#waiting = [all.subarray(Math.min(at, all.length))];
    this.#waitingBytes = Math.max(0, all.length - at);
  }

  async #put(text: Buffer): Promise<void> {
    const data = await compress(text, { level: 3 });
    const expiry = this.#expiresAt === undefined ? {} : { expires_at: this.#expiresAt };
    const Item = { ...keyOf(this.#pk, this.#prefix, this.#pieces), data, ...expiry };
    await this.#table.db.send(new PutCommand({ TableName: this.#table.name, Item }));
    this.#pieces += 1;
    this.bytes += data.length;
  }
}

/** The bytes of a sequence, a piece at a time. @throws PiecesMissing */
export async function* readPieces(
  table: Table,
  pk: string,
  { prefix, pieces }: PiecesRef,
): AsyncGenerator<Buffer> {
  if (pieces === 0) return;
  const items = queryAll<{ sk: string; data: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": pk,
      ":from": keyOf(pk, prefix, 0).sk,
      ":to": keyOf(pk, prefix, pieces - 1).sk,
    },
    ConsistentRead: true,
    Limit: PIECES_PER_READ,
  });
  let next = 0;
  for await (const { sk, data } of items) {
    if (sk !== keyOf(pk, prefix, next).sk) break;
    next += 1;
    yield await decompress(data);
  }
  if (next < pieces) throw new PiecesMissing(`Piece ${next} of ${pieces} of ${prefix} is missing.`);
}

/** The lines of a text, each as bytes without its line break. @throws PiecesMissing */
export async function* readLines(table: Table, pk: string, ref: PiecesRef): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of readPieces(table, pk, ref)) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = chunk.subarray(start, end);
      yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
}

export async function deletePieces(table: Table, pk: string, { prefix, pieces }: PiecesRef): Promise<void> {
  for (let at = 0; at < pieces; at += AT_ONCE) {
    const count = Math.min(AT_ONCE, pieces - at);
    await deleteAll(
      table,
      Array.from({ length: count }, (_, next) => keyOf(pk, prefix, at + next)),
    );
  }
}
