import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Row } from "../api/api.ts";
import { isAbort, messageOf } from "../api/api-error.ts";
import { count } from "../format/numbers.ts";
import { type Arrangement, arrange, isPlain } from "./arrange.ts";
import type { Sorting } from "./header.tsx";
import type { GridSource, RowSource } from "./row-source.ts";

/** The most rows that are sorted and searched. All of them must be loaded. */
const MOST = 100_000;

export interface ArrangedRows extends Sorting {
  arrangement: Arrangement;
  onArrange: (arrangement: Arrangement) => void;
  /** The rows as they are arranged; undefined if they are shown as they come. */
  view: RowView | undefined;
  isLoading: boolean;
  /** Why the rows can't be arranged. */
  problem: string | undefined;
}

const PLAIN: Arrangement = { search: "" };

/** Sorts and searches the rows of a source. Loads all of them when they are first sorted or searched. */
export function useArrangement(source: RowSource, isRunning: boolean): ArrangedRows {
  const [arrangement, setArrangement] = useState(PLAIN);
  const [loaded, setLoaded] = useState<{ count: number; rows: Row[] }>();
  const [failure, setFailure] = useState<string>();
  const { count: rows } = source;
  const isOn = !isPlain(arrangement);
  const isPossible = rows <= MOST && !isRunning;
  const isKnown = loaded?.count === rows;
  useEffect(() => {
    if (!isOn || !isPossible || isKnown) return;
    let isCurrent = true;
    setFailure(undefined);
    source.range(0, rows - 1).then(
      (all) => isCurrent && setLoaded({ count: rows, rows: all }),
      (error) => isCurrent && !isAbort(error) && setFailure(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [source, rows, isOn, isPossible, isKnown]);
  const view = useMemo(
    () => (isOn && isKnown ? new RowView(loaded.rows, arrange(loaded.rows, arrangement)) : undefined),
    [isOn, isKnown, loaded, arrangement],
  );
  const { order } = arrangement;
  const sortBy = (column: string) => {
    const next = order?.column !== column ? { column, isDescending: false } : undefined;
    const turned = order?.column === column && !order.isDescending ? { column, isDescending: true } : next;
    setArrangement({ ...arrangement, order: turned });
  };
  return {
    arrangement,
    onArrange: setArrangement,
    order,
    onSort: sortBy,
    view,
    isLoading: isOn && isPossible && !isKnown && failure === undefined,
    problem: isOn ? (failure ?? reasonAgainst(rows, isRunning)) : undefined,
  };
}

function reasonAgainst(rows: number, isRunning: boolean): string | undefined {
  if (isRunning) return "You can sort and search when it has finished.";
  return rows > MOST
    ? `Only up to ${count(MOST)} rows can be sorted and searched here. Export them as a file.`
    : undefined;
}

/** Rows that are all loaded, in an order of their own. */
class RowView implements GridSource {
  readonly version = signal(0);
  readonly error = signal<unknown>(undefined);
  readonly #rows: readonly Row[];
  readonly #indexes: readonly number[];

  constructor(rows: readonly Row[], indexes: readonly number[]) {
    this.#rows = rows;
    this.#indexes = indexes;
  }

  get count(): number {
    return this.#indexes.length;
  }

  get(index: number): Row | undefined {
    return this.#rows[this.#indexes[index] ?? -1];
  }

  /** The number that the row has without the arrangement. */
  numberOf(index: number): number {
    return (this.#indexes[index] ?? 0) + 1;
  }

  want(): void {}

  retry(): void {}

  async range(first: number, last: number): Promise<Row[]> {
    return this.#indexes.slice(first, last + 1).map((index) => this.#rows[index] ?? {});
  }
}
