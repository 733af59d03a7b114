import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredBatch } from "../../batches/batch.ts";
import type { InputValues } from "../../contract/batches/batch.ts";
import { queryAll, type Table } from "../table.ts";
import { indexIn, pieceKey } from "./batch-keys.ts";

/*
 * The inputs of a batch, as compressed JSON arrays. The key of a piece has the index of its first input, so that any input
 * is found with one request. Pieces count only if the batch names their writer.
 */

/** The most inputs in a piece, which each reader of one input reads as a whole. */
const PIECE_INPUTS = 500;
/** The most JSON in a piece, in bytes. Compressed, it is at most a little longer, and DynamoDB's limit is 400 KB. */
const PIECE_BYTES = 256 * 1024;
/** The most JSON in one input, in bytes. */
export const INPUT_BYTES_MAX = 64 * 1024;
/** Pieces that are stored at a time. */
const AT_ONCE = 10;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Stores all inputs of a batch. */
export async function putInputs(
  table: Table,
  batch: StoredBatch,
  inputs: readonly InputValues[],
): Promise<void> {
  const { expires_at } = batch;
  const put = async ({ first, json }: Piece) => {
    const data = await compress(`[${json.join(",")}]`);
    const expiry = expires_at === undefined ? {} : { expires_at };
    const Item = { ...pieceKey(batch, first), data, ...expiry };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  };
  let waiting: Promise<void>[] = [];
  for (const piece of piecesOf(inputs)) {
    waiting.push(put(piece));
    if (waiting.length < AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

interface Piece {
  first: number;
  /** The inputs, each as JSON. */
  json: string[];
}

function* piecesOf(inputs: readonly InputValues[]): Generator<Piece> {
  let piece: Piece = { first: 0, json: [] };
  let bytes = 0;
  for (const [index, input] of inputs.entries()) {
    const json = JSON.stringify(input);
    const size = Buffer.byteLength(json) + 1;
    if (piece.json.length === PIECE_INPUTS || (bytes + size > PIECE_BYTES && piece.json.length > 0)) {
      yield piece;
      piece = { first: index, json: [] };
      bytes = 0;
    }
    piece.json.push(json);
    bytes += size;
  }
  yield piece;
}

/** Reads inputs of a batch by their indexes. Keeps the piece that it has read last. */
export class InputReader {
  readonly #table: Table;
  readonly #batch: StoredBatch;
  #piece: { first: number; inputs: InputValues[] } | undefined;

  constructor(table: Table, batch: StoredBatch) {
    this.#table = table;
    this.#batch = batch;
  }

  /** @throws Error if the input is not stored */
  async read(index: number): Promise<InputValues> {
    const input = this.#kept(index) ?? (await this.#fetch(index));
    if (input === undefined) throw new Error(`The input ${index} of batch ${this.#batch.id} is not stored.`);
    return input;
  }

  #kept = (index: number): InputValues | undefined => this.#piece?.inputs[index - this.#piece.first];

  async #fetch(index: number): Promise<InputValues | undefined> {
    const { pk, sk: last } = pieceKey(this.#batch, index);
    const pieces = queryAll<{ sk: string; data: Uint8Array }>(this.#table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :index",
      ExpressionAttributeValues: {
        ":pk": pk,
        ":first": pieceKey(this.#batch, 0).sk,
        ":index": last,
      },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    });
    for await (const { sk, data } of pieces) {
      const inputs = JSON.parse((await decompress(data)).toString()) as InputValues[];
      this.#piece = { first: indexIn(sk), inputs };
      return this.#kept(index);
    }
    return undefined;
  }
}
