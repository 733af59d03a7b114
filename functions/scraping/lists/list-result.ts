import type { Row } from "../../contract/runs/run.ts";
import type { ListField } from "../../contract/steps/steps.ts";
import type { ActivityCounts } from "../page/network/network-activity.ts";
import type { JsonProblem } from "../page-script/json/protocol.ts";
import type {
  Control,
  FieldDoubts,
  FieldRequest,
  LazyImages,
  Left,
  ListAnswer,
  ReadRequest,
  ScrollRequest,
} from "../page-script/protocol.ts";
import { valueSelector } from "../selectors/json-selectors.ts";

/**
 * Rows that were read from a page, and what is known about the page. The counts are from before `leave`.
 */
export interface ListResult extends ActivityCounts {
  state: ListAnswer["state"];
  /** Why a list of JSON is missing. */
  problem: JsonProblem | undefined;
  rows: Row[];
  url: string;
  /** A digest of the rows' content, to recognize a page. */
  digest: string;
  /** This and what follows: see `ListAnswer`, here with what stands for nothing. */
  storageState: string | null;
  target: string | null;
  pressResult: Left["result"] | "none";
  windowed: boolean;
  hasGap: boolean;
  hasUnseen: boolean;
  lazyImages: readonly LazyImages[];
  doubts: FieldDoubts;
  /** Whether the document was still loading when its rows were read, and still is. */
  isLoading: boolean;
  /** Whether the page has no content at all. */
  isBlank: boolean;
  /** Whether the list still got rows when it was read for the last time. */
  isGrowing: boolean;
  /** The address of a request that was not answered in time, so that the rows are without what it brings. */
  late: string | undefined;
  /** Why the list is no longer there: another document took the place of its own, or a script removed it. */
  goneBy: "document" | "script" | undefined;
  /** Whether a windowed list has shown the same rows again. */
  isRepeated: boolean;
  /** Whether the page, or what it has requested since the last rows, did not arrive in time. */
  isIncomplete: boolean;
  /** Requests that the tab has started so far. */
  requestsStarted: number;
}

export interface ReadOptions extends Pick<ReadRequest, "part" | "limit" | "withContent"> {
  leave?: Control | undefined;
}

export interface ScrollOptions extends Pick<ScrollRequest, "limit" | "once"> {
  /** The selector of the box to scroll; absent: the box around the list. */
  box?: string | undefined;
  /** Whether to scroll a windowed list back to its top at its end. */
  rewind?: boolean;
}

/** What the page script is told of a field. */
export const requestOf = (field: ListField): FieldRequest => {
  const { name: _, required: __, transform, json: ___, list, ...request } = field;
  return {
    ...request,
    selector: valueSelector(field),
    absolute: transform?.[0]?.type === "absolute",
    ...(list && { list: { ...list, fields: list.fields.map(requestOf) } }),
  };
};

/** The rows that a row becomes which has rows within it, as JSON in one of its fields; those of them alone otherwise. */
export function unnested(row: Row, fields: readonly ListField[]): Row[] {
  const nested = fields.find(({ list }) => list);
  if (!nested?.list) return [row];
  const { fields: inner } = nested.list;
  const { [nested.name]: text, ...outer } = row;
  if (text === undefined) return [outer];
  const cells: (string | null)[][] = JSON.parse(text);
  return cells.map((values) => ({ ...outer, ...rowOf(values, inner) }));
}

/** A row of what the page script read, by the names of the fields. */
export function rowOf(values: readonly (string | null)[], fields: readonly ListField[]): Row {
  const row: Row = {};
  for (let index = 0; index < fields.length; index += 1) {
    const value = values[index];
    if (value !== null && value !== undefined) setField(row, (fields[index] as ListField).name, value);
  }
  return row;
}

/** Sets a field, whatever its name: a plain assignment to `__proto__` sets nothing. */
export function setField(row: Row, name: string, value: string): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}
