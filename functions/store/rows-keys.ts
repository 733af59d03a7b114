import { numberKey } from "./numbering.ts";
import { accountPartition } from "./table.ts";

/** The partition with the pieces of a run's rows. */
export const rowsPartition = (account: string, runId: string) =>
  `${accountPartition(account)}#RUN#${runId}#ROWS`;

/** A piece: its attempt, the index of the first row that begins in it or after it, and its number in the attempt. */
export interface Piece {
  attempt: number;
  row: number;
  piece: number;
}

const digits = (number: number, count: number) => String(number).padStart(count, "0");
const attemptKey = (attempt: number) => digits(attempt, 6);
const pieceNumber = (piece: number) => digits(piece, 9);

export const pieceKey = ({ attempt, row, piece }: Piece) =>
  `${attemptKey(attempt)}#${numberKey(row)}#${pieceNumber(piece)}`;

/** Sorts before all pieces of an attempt whose row is this one or later. */
export const fromRow = (attempt: number, row: number) => `${attemptKey(attempt)}#${numberKey(row)}`;

/** Sorts after all pieces of an attempt whose row is this one or earlier, and before the others. */
export const upToRow = (attempt: number, row: number) => `${fromRow(attempt, row)}~`;

/** Sorts after all pieces of an attempt. */
export const endOfAttempt = (attempt: number) => `${attemptKey(attempt)}#~`;

/** The row and the number in the key of a piece. */
export function readPieceKey(sk: string): { row: number; piece: number } {
  const [, row, piece] = sk.split("#");
  return { row: Number(row), piece: Number(piece) };
}

/** The key of a piece that was stored before keys had rows. */
export const oldPieceKey = (attempt: number, piece: number) => `${attemptKey(attempt)}#${pieceNumber(piece)}`;
