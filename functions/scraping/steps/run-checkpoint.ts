import type { Row } from "../../contract/runs/run.ts";
import type { Checkpoint } from "../../runs/checkpoint.ts";
import type { FieldsSoFar } from "../lists/field-check.ts";
import type { RowDigests, SeenPage } from "../lists/repeats.ts";

/** Where a run resumes: right after the rows of its last batch. */
export interface RunCheckpoint extends Checkpoint {
  /** Index of the step to resume with. */
  step: number;
  /** Pages loaded up to here. */
  loads: number;
  /** Names and values of get_text steps so far; a list, because the store's maps can't have every name. */
  texts: [string, string][];
  /** Rows to leave out when the list is read again from `url`, or from its beginning. */
  skip: number;
  /** The address of the list's page, where one leads there. */
  url?: string;
  /** The digests of the last of these rows. */
  last?: RowDigests;
  /** The number of that page, from 1. */
  number?: number;
  /** The first pages of the list, before that page. */
  first?: SeenPage[];
  /** How many addresses of the list's template have been used. */
  turn?: number;
  /** Within a list: what its rows had so far. */
  fields?: FieldsSoFar;
}

/** Where a list step of a run stands. */
interface ListPosition extends Pick<RunCheckpoint, "loads" | "fields" | "last"> {
  /** Index of the step. */
  index: number;
  texts: Row;
  /** The first pages of the list, before the page. */
  first: SeenPage[];
  /** Rows of the list before the page. */
  before: number;
  /** Rows of the page that are done, and those before them that it has kept from the page before. */
  done: number;
  kept: number;
}

/** The checkpoint after all of a step. */
export const afterStep = (index: number, loads: number, texts: Row): RunCheckpoint => ({
  step: index + 1,
  loads,
  texts: Object.entries(texts),
  skip: 0,
});

/** Where a run begins. */
export const START: RunCheckpoint = afterStep(-1, 0, {});

/** The checkpoint within a list. If no address leads to the page, all of the list is read again. */
export function withinList(
  { url, number, turn }: { url?: string | undefined; number: number; turn?: number | undefined },
  { index, texts, first, before, done, kept, ...position }: ListPosition,
): RunCheckpoint {
  const checkpoint = { ...position, step: index, texts: Object.entries(texts) };
  if (url === undefined) return { ...checkpoint, skip: before + done };
  return { ...checkpoint, skip: kept + done, url, number, first, ...(turn !== undefined && { turn }) };
}
