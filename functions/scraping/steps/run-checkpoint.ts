import type { Row } from "../../contract/run.ts";
import type { Checkpoint } from "../../runs/checkpoint.ts";
import type { FieldsSoFar } from "../lists/field-check.ts";
import type { ListPage } from "../lists/list-page.ts";

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
  /** The number of that page, from 1. */
  number?: number;
  /** How many addresses of the list's template have been used. */
  turn?: number;
  /** Within a list: what its rows had so far. */
  fields?: FieldsSoFar;
}

/** Where a list step of a run stands. */
export interface ListPosition {
  /** Index of the step. */
  index: number;
  loads: number;
  texts: Row;
  /** Rows of the list before the page. */
  before: number;
  /** Rows of the page that are done. */
  done: number;
  fields: FieldsSoFar;
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

/** The checkpoint within a list. */
export function withinList(page: ListPage, position: ListPosition): RunCheckpoint {
  const { index, loads, texts, before, done, fields } = position;
  if (page.last && done === page.rows.length) return afterStep(index, loads, texts);
  const checkpoint = { step: index, loads, texts: Object.entries(texts), fields };
  if (page.url === undefined) return { ...checkpoint, skip: before + done };
  return {
    ...checkpoint,
    skip: done,
    url: page.url,
    number: page.number,
    ...(page.turn !== undefined && { turn: page.turn }),
  };
}
