import type { Row } from "../../contract/runs/run.ts";
import type { Pagination } from "../../contract/scrapers/scraper.ts";
import type { ListField, StepOf } from "../../contract/steps/steps.ts";
import { GROUP } from "../limits.ts";
import type { ActivityCounts } from "../page/network/network-activity.ts";
import type { JsonProblem } from "../page-script/json/protocol.ts";
import type {
  FieldDoubts,
  FieldRequest,
  LazyImages,
  ListAnswer,
  ReadRequest,
  ScrollRequest,
} from "../page-script/protocol.ts";
import { valueSelector } from "../selectors/json-selectors.ts";
import type { SeenPage } from "./repeats.ts";

/** The list that a step reads, and how it continues. */
export interface ListRequest {
  step: StepOf<"get_list">;
  index: number;
  pagination: Pagination;
  /**
   * Where to begin, if not at the first page: the number of the page, and the rows of it to skip. The session's tab shows
   * this page, or will after `navigate`.
   */
  from?: { number: number; turn?: number | undefined; rows?: number | undefined } | undefined;
}

/** Rows that were read from a page, and what is known about the page. */
export interface ListResult extends ActivityCounts {
  state: ListAnswer["state"];
  problem: JsonProblem | undefined;
  rows: Row[];
  url: string;
  /** A digest of the rows' content, to recognize a page. */
  digest: string;
  /** A digest of all that the rows hold. */
  texts: string;
  /** This and what follows: see `ListAnswer`, here with what stands for nothing. */
  storageState: string | null;
  windowed: boolean;
  hasGap: boolean;
  hasUnseen: boolean;
  lazyImages: readonly LazyImages[];
  doubts: FieldDoubts;
  /** Whether the document was still loading when its rows were read, and still is. */
  isLoading: boolean;
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
  requestsStarted: number;
}

export type ReadOptions = Pick<ReadRequest, "part" | "limit" | "withContent">;

export type ScrollOptions = Pick<ScrollRequest, "limit" | "once" | "box" | "begin" | "rewind">;

/** One page of a list, or the next part of a list that stays on its page. */
export interface Page {
  rows: Row[];
  /** How it was read; absent if that was by HTTP. */
  findings?: ListResult;
  /** The address of the page, if it leads to the page again. */
  url: string | undefined;
  /** How many addresses of a template have been used. */
  turn?: number;
  /** Absent for a part of a list that stays on its page. */
  identity?: PageIdentity;
  /** Whether it is known to be the last. */
  isEnd?: boolean;
  /** Whether rows may be missing because the transfer of the page was cut off. */
  isPart?: boolean;
  isWindow?: boolean;
}

interface PageIdentity extends SeenPage {
  /** Where its control leads. */
  target?: () => Promise<string | null>;
  /** Whether it is no sign of the list's end if an earlier page was the same. */
  isUnexpectedTwice?: boolean;
}

/**
 * Gives the pages of a list, one after the other, until the list ends. It reads a page only when it is asked for, and is
 * closed by `return`. @throws RunFailure or PageChanged
 */
export type Source = AsyncGenerator<Page, void>;

/** How far a list was read, as sources need to know. */
export interface Progress {
  /** The number of the page that was read last, from 1. */
  readonly number: number;
  /** Whether no page has been read. */
  readonly isFirst: boolean;
  /** How many more rows may be read. */
  readonly limit: number;
  /**
   * How many rows of a page are read: it may have kept the rows of the one before, or be a known one, which is recognized by
   * all of its rows.
   */
  readonly pageLimit: number;
  /** How many more rows are wanted. Less than `limit` if the list has a key, because not every row counts then. */
  readonly left: number;
  /** How many more pages may be read. */
  readonly pagesLeft: number;
  /** How many of them are probably needed. */
  readonly pagesWanted: number;
  /** Whether a page with this address, or with these rows, was read. */
  has(page: Partial<SeenPage>): boolean;
}

/** How a scraper names the control that shows more of a list. */
export interface ControlOptions {
  selector?: string | undefined;
  field_name?: string | undefined;
  /** Whether a list without it fails. */
  required?: boolean | undefined;
}

/** Limits and pacing, which every pagination but `none` may have. */
export interface Bounds {
  max_pages?: number | undefined;
  delay_ms?: number | undefined;
}

/** Whether the pagination adds rows to the page. */
export const isGrowing = ({ type }: Pagination): boolean =>
  type === "infinite_scroll" || type === "load_more";

/** How the list went on to the next page. */
export type Advance =
  | { how: "none" }
  | ({
      /**
       * `leaving`: another document is loading. `pressed`: the effect is not known yet. `kept`: another tab has loaded
       * the page that the control leads to, so the document was kept.
       */
      how: "pressed" | "leaving" | "kept";
      /** What was done: it was pressed by a script or by the browser's pointer, or the pointer was only moved to it. */
      by: "script" | "hover" | "click";
      /** The address that the control leads to, if it states one. */
      address?: string | null;
      // The counts of the tab before that.
    } & ActivityCounts);

/** The page of a list that the session's tab shows. */
export type ShownPage = Pick<ListResult, "url" | "rows" | "storageState">;

/**
 * How the list continues. `ended`: it does not. `shown`: by the control of the current page. `opened`: the tab has opened
 * the next page, which has to be read.
 */
export type Next = "ended" | "shown" | "opened";

/** A list whose pages are documents. */
export interface Pager {
  /** Reads the page that the tab shows, or will show; undefined where the list has ended. */
  read(): Promise<Page | undefined>;
  /** Goes on to the next page. Returns false where there is none. */
  advance(): Promise<boolean>;
  /** The current page; undefined if its address does not lead to it. */
  shown(): ShownPage | undefined;
  /** The address of the page after it, if that is known. */
  target(): Promise<string | null>;
  /** Opens the next page by its address, because the tab has left the page that leads there. */
  open(url: string, referrer: string): Promise<void>;
  /** Accepts the next page without opening it. */
  pass(page: { url: string; rows: Row[]; digest: string; texts: string }): Page;
  /** Accepts the next page, which the session's tab shows now. Undefined if it ends the list. */
  arrive(result: ListResult): Promise<Page | undefined>;
  /** Ends what is under way. */
  close(): void;
}

/** Reads pages of a list by HTTP. */
export interface HttpReader {
  /** Whether further pages may be read by HTTP. Then the tab stays on its page until they have been read. */
  readonly isOn: boolean;
  /** The pages after the current one, as far as they can be read by HTTP. */
  after(pager: Pager): AsyncGenerator<Page, Next>;
  close(): void;
}

/** The pages of a list in the browser, and those that are read by HTTP between them. */
export async function* documentPages(pager: Pager, http: HttpReader | undefined): Source {
  try {
    for (let next: Next = "opened"; next !== "ended"; ) {
      if (next === "shown" && !(await pager.advance())) return;
      const page = await pager.read();
      if (!page) return;
      yield page;
      next = http ? yield* http.after(pager) : "shown";
    }
  } finally {
    http?.close();
    pager.close();
  }
}

/** The address without what only names a place on the page. */
export const pageOf = (url: string): string => url.split("#")[0] ?? url;

/**
 * Rows in groups, as they become complete. Those before one that fails are kept.
 * @param ms the time after which a smaller group is handed over
 */
export async function* inGroups(
  rows: AsyncIterable<Row>,
  ms = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row[]> {
  let group: Row[] = [];
  let started = Date.now();
  try {
    for await (const row of rows) {
      group.push(row);
      if (group.length < GROUP && Date.now() - started < ms) continue;
      const full = group;
      group = [];
      yield full;
      started = Date.now();
    }
  } catch (error) {
    if (group.length > 0) yield group;
    throw error;
  }
  if (group.length > 0) yield group;
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
