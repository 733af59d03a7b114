import { createGunzip } from "node:zlib";
import type { Segment, StoredRows, StoredRun } from "../../runs/run.ts";
import { queryAll, type Table } from "../table.ts";
import { endOfAttempt, fromRow, oldPieceKey, readPieceKey, rowsPartition, upToRow } from "./rows-keys.ts";

/** Pieces per read, which a reader holds in memory. */
const PIECES_PER_READ = 2;

/**
 * The most bytes of rows at a time. Readers finish with so few bytes before the garbage collector has seen them twice, and
 * would keep them in memory for long.
 */
const TEXT_BYTES = 64 * 1024;

async function* decompressed(data: Uint8Array): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: TEXT_BYTES });
  gunzip.end(data);
  yield* gunzip as AsyncIterable<Buffer>;
}

/** Not all rows of a run are stored, or more than the run names. */
export class RowsDamaged extends Error {
  override readonly name = "RowsDamaged";
}

/** A run, as far as its rows are concerned. `partition`: that of their pieces, if it is another one than that of rows. */
export type RunRows = { account: string; id: string; partition?: string } & StoredRows &
  Pick<StoredRun, "rows">;

/**
 * The rows of a run as text, the content of a JSON array, a part of a piece at a time.
 * @throws RowsDamaged as soon as it is certain that the text is not the one that was stored
 */
export async function* readRows(table: Table, run: RunRows): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const { data } of piecesFrom(table, run, 0)) {
    for await (const text of decompressed(data)) {
      bytes += text.length;
      yield text;
    }
  }
  if (bytes !== run.row_bytes) throw damaged(run, `they have ${bytes} of ${run.row_bytes} bytes`);
}

/** A part of the text of a piece that begins with the row of this index, or within a row before it. */
export interface RowsPart {
  row: number;
  text: Buffer;
}

/**
 * The text of a run's rows from a part on that has the row with this index, or comes before it. Only rows that were stored
 * before keys had rows are read from the beginning.
 * @throws RowsDamaged
 */
export async function* readRowsFrom(table: Table, run: RunRows, offset: number): AsyncGenerator<RowsPart> {
  for await (const { row, data } of piecesFrom(table, run, offset))
    for await (const text of decompressed(data)) yield { row, text };
}

interface PieceData {
  row: number;
  data: Uint8Array;
}

async function* piecesFrom(table: Table, run: RunRows, offset: number): AsyncGenerator<PieceData> {
  if (run.inline_rows !== undefined) {
    if (run.rows?.attempt !== run.inline_rows) throw damaged(run, "they are not stored with the run");
    yield { row: 0, data: run.rows.data };
    return;
  }
  const first = run.segments.findLastIndex(({ row }) => row !== undefined && row <= offset);
  for (const [index, segment] of run.segments.entries()) {
    if (index < first) continue;
    yield* index === first && (segment.row ?? 0) < offset
      ? segmentFrom(table, run, segment, offset)
      : wholeSegment(table, run, segment);
  }
}

/** The pieces of a segment from the one with this row on. */
async function* segmentFrom(
  table: Table,
  run: RunRows,
  segment: Segment,
  offset: number,
): AsyncGenerator<PieceData> {
  const { attempt, to } = segment;
  const pieces = query(table, run, fromRow(attempt, segment.row ?? 0), upToRow(attempt, offset), {
    ScanIndexForward: false,
    Limit: 1,
  });
  const { value: found } = await pieces.next();
  await pieces.return(undefined);
  if (found === undefined) throw damaged(run, `no piece of attempt ${attempt} has row ${offset}`);
  const { row, piece } = readPieceKey(found.sk);
  yield { row, data: found.data };
  if (piece < to) yield* wholeSegment(table, run, { attempt, from: piece + 1, to, row: row + 1 });
}

async function* wholeSegment(
  table: Table,
  run: RunRows,
  { attempt, from, to, row: firstRow }: Segment,
): AsyncGenerator<PieceData> {
  const hasRows = firstRow !== undefined;
  const pieces = hasRows
    ? query(table, run, fromRow(attempt, firstRow), endOfAttempt(attempt), { Limit: PIECES_PER_READ })
    : query(table, run, oldPieceKey(attempt, from), oldPieceKey(attempt, to), { Limit: PIECES_PER_READ });
  let expected = from;
  for await (const { sk, data } of pieces) {
    const { row, piece } = hasRows ? readPieceKey(sk) : { row: 0, piece: Number(sk.split("#")[1]) };
    if (piece !== expected) break;
    expected += 1;
    yield { row, data };
    if (expected > to) break;
  }
  if (expected <= to) throw damaged(run, `piece ${expected} of attempt ${attempt} is missing`);
}

const query = (
  table: Table,
  run: RunRows,
  from: string,
  to: string,
  options: { Limit: number; ScanIndexForward?: boolean },
) =>
  queryAll<{ sk: string; data: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": run.partition ?? rowsPartition(run.account, run.id),
      ":from": from,
      ":to": to,
    },
    ConsistentRead: true,
    ...options,
  });

export const damaged = ({ id }: { id: string }, what: string) =>
  new RowsDamaged(`The stored rows of run ${id} are damaged: ${what}.`);
