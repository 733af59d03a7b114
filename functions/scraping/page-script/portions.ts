/// <reference lib="dom" />
import type { Agent } from "./agent.ts";

/** A value, or all values together (`field` is null), that is too large to be taken. */
export interface Oversize {
  /** From 0. */
  row: number;
  field: number | null;
  /** Characters. */
  size: number;
}

export interface Portion {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** How many rows `takeRest` still has. */
  rest: number;
  oversize?: Oversize | undefined;
}

/** Handing rows on in answers that are never too large for whoever has to read them. */
export function installPortions(agent: Agent): void {
  /** Characters of one row, of one answer (which has at least one row), and of all rows taken together. */
  const ROW_MAX = 16 * 1024 * 1024;
  const ANSWER_MAX = 4 * 1024 * 1024;
  const ALL_MAX = 64 * 1024 * 1024;
  let rest: (string | null)[][] = [];

  const sizeOf = (row: (string | null)[]): number => {
    let size = 0;
    for (const value of row) {
      if (value === null) continue;
      // A control of a form that is named "textContent" stands in that property's place.
      if (typeof value !== "string") throw new TypeError("the controls of a form hide what it holds");
      size += value.length;
    }
    return size;
  };

  const oversizeOf = (cells: (string | null)[][]): Oversize | undefined => {
    let all = 0;
    for (let row = 0; row < cells.length; row += 1) {
      const values = cells[row] as (string | null)[];
      const size = sizeOf(values);
      all += size;
      if (size > ROW_MAX) {
        const sizes = values.map((value) => value?.length ?? 0);
        const largest = Math.max(...sizes);
        return { row, field: sizes.indexOf(largest), size: largest };
      }
    }
    return all > ALL_MAX ? { row: cells.length, field: null, size: all } : undefined;
  };

  /** The rows that fit into one answer. */
  const cut = (cells: (string | null)[][]): Portion => {
    let size = 0;
    let count = 0;
    while (count < cells.length) {
      size += sizeOf(cells[count] as (string | null)[]);
      if (count > 0 && size > ANSWER_MAX) break;
      count += 1;
    }
    rest = cells.slice(count);
    return { cells: rest.length > 0 ? cells.slice(0, count) : cells, rest: rest.length };
  };

  agent.portion = (cells) => {
    rest = [];
    const oversize = oversizeOf(cells);
    return oversize ? { cells: [], rest: 0, oversize } : cut(cells);
  };

  Object.assign(agent, {
    takeRest: (): string => JSON.stringify(cut(rest)),
  });
}
