import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Segment, StoredRows, StoredRun } from "../runs/run.ts";
import { endOfAttempt, fromRow, oldPieceKey, readPieceKey, rowsPartition, upToRow } from "./rows-keys.ts";
import { queryAll, type Table } from "./table.ts";

/** Pieces per read, which a reader holds in memory. */
const PIECES_PER_READ = 2;

const decompress = promisify(gunzip);

/** Not all rows of a run are stored, or more than the run names. */
export class RowsDamaged extends Error {
  override readonly name = "RowsDamaged";
}

/** A run, as far as its rows are concerned. */
export type RunRows = { account: string; id: string } & StoredRows & Pick<StoredRun, "rows">;

/**
 * The rows of a run as text, the content of a JSON array, a few pieces at a time.
 * @throws RowsDamaged as soon as it is certain that the text is not the one that was stored
 */
export async function* readRows(table: Table, run: RunRows): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const { data } of piecesFrom(table, run, 0)) {
    const text = await decompress(data);
    bytes += text.length;
    yield text;
  }
  if (bytes !== run.row_bytes) throw damaged(run, `they have ${bytes} of ${run.row_bytes} bytes`);
}

/** A part of the text, which begins with the row of this index, or within text that belongs to rows before it. */
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
    yield { row, text: await decompress(data) };
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
    ExpressionAttributeValues: { ":pk": rowsPartition(run.account, run.id), ":from": from, ":to": to },
    ConsistentRead: true,
    ...options,
  });

export const damaged = ({ id }: { id: string }, what: string) =>
  new RowsDamaged(`The stored rows of run ${id} are damaged: ${what}.`);
