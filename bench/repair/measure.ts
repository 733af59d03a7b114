import type { Row, Suggestion } from "../../functions/contract/runs/run.ts";
import type { ListField } from "../../functions/contract/steps/steps.ts";
import { Effort } from "../../functions/proposals/effort.ts";
import type { ListProposal } from "../../functions/proposals/lists/lists.ts";
import { suggestRepair } from "../../functions/proposals/repair/suggest.ts";
import { parseSelector } from "../../functions/proposals/selectors/parse-selector.ts";
import { Finder } from "../../functions/proposals/selectors/selector.ts";
import type { Snapshot } from "../../functions/proposals/snapshot.ts";
import { absolute, type TreeNode, treeOf } from "../../functions/proposals/tree.ts";
import type { Mutation } from "../proposals/mutations.ts";
import { redesign } from "./redesign.ts";

/** A list that a scraper read, and all its rows. */
export interface ReadList {
  name: string;
  snapshot: Snapshot;
  list: ListProposal;
  rows: Row[];
}

export interface Tried {
  /** Whether the suggested selector matches the rows of the list, and no other elements. */
  rowsRight: boolean;
  /** Whether each field has the value of the row that it had, in each row. */
  allRight: boolean;
  ms: number;
  what: string;
}

/** The rows as a run reads them by the proposed selectors. */
export function readList(name: string, snapshot: Snapshot, list: ListProposal): ReadList {
  const { nodes } = treeOf(snapshot);
  const elements = list.rows.map((index) => nodes[index] as TreeNode);
  const columns = list.fields.map((field) => columnOf(elements, field, snapshot.base));
  const rows = elements.map((_, row) =>
    Object.fromEntries(
      list.fields.flatMap((field, column) => {
        const value = columns[column]?.[row];
        return value === undefined ? [] : [[field.name, value]];
      }),
    ),
  );
  return { name, snapshot, list, rows };
}

/** What a field reads in each row: the first element in it that its selector matches. */
function columnOf(rows: readonly TreeNode[], field: ListField, base: string): (string | undefined)[] {
  const inside = new Finder(
    rows.flatMap((row) => row.descendants()),
    new Set(rows),
  );
  const matches = field.selector === undefined ? rows : find(inside, field.selector);
  return rows.map((row) =>
    read(
      matches.find((node) => row.contains(node)),
      field,
      base,
    ),
  );
}

function read(node: TreeNode | undefined, { attribute }: ListField, base: string): string | undefined {
  if (attribute === undefined) return node?.text || undefined;
  const value = node?.attribute(attribute);
  return attribute === "href" || attribute === "src" ? absolute(value, base)?.href : value;
}

/**
 * What the last good run had: every second row, and as many that the page has no longer. Half of the prices have changed.
 */
function earlierRows({ list, rows }: ReadList, gone: readonly Row[]): Row[] {
  const prices = list.fields.filter(({ kind }) => kind === "price").map(({ name }) => name);
  const known = rows.filter((_, index) => index % 2 === 0);
  const changed = known.map((row, index) =>
    index % 2 === 0
      ? row
      : Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, prices.includes(name) ? `${value}1` : value]),
        ),
  );
  return [...changed, ...gone.slice(0, changed.length)];
}

/** Whether a page gets a suggestion although it has none of the rows of the last good run. */
export const isMisled = ({ snapshot, list: { selector, fields } }: ReadList, gone: readonly Row[]): boolean =>
  suggestRepair(
    snapshot,
    { step: { type: "get_list", selector, fields }, pagination: { type: "none" }, part: "element" },
    gone,
  ) !== undefined;

/** Breaks the list of a page by a redesign, and compares the suggestion with what is right. */
export function tryRepair(read: ReadList, mutate: Mutation, gone: readonly Row[]): Tried {
  const { snapshot, indexes } = redesign(mutate)(read.snapshot, read.list.rows);
  const { selector } = read.list;
  const fields = read.list.fields.map(
    ({ name, selector, attribute }): ListField => ({
      name,
      ...(selector && { selector }),
      ...(attribute && { attribute }),
    }),
  );
  const start = performance.now();
  const suggestion = suggestRepair(
    snapshot,
    { step: { type: "get_list", selector, fields }, pagination: { type: "none" }, part: "element" },
    earlierRows(read, gone),
  );
  const ms = performance.now() - start;
  const wanted = read.list.rows.map((index) => indexes[index] as number);
  const { rowsRight, wrong } = check(read, { snapshot, wanted, fields, suggestion });
  return {
    rowsRight,
    allRight: rowsRight && wrong.length === 0,
    ms,
    what: `${read.name} ${JSON.stringify({ was: { selector, count: wanted.length }, suggestion: suggestion && { ...suggestion, sample: undefined }, wrong })}`,
  };
}

interface Repaired {
  snapshot: Snapshot;
  wanted: readonly number[];
  fields: readonly ListField[];
  suggestion: Suggestion | undefined;
}

/** `wrong` names the fields that have another value in some row. */
function check(
  { rows }: ReadList,
  { snapshot, wanted, fields, suggestion }: Repaired,
): { rowsRight: boolean; wrong: unknown[] } {
  if (!suggestion) return { rowsRight: false, wrong: [] };
  const { nodes } = treeOf(snapshot);
  // The engine leaves out placeholders, which have no content.
  const found = find(new Finder(nodes), suggestion.selector).filter(
    ({ text, hasImage }) => text !== "" || hasImage,
  );
  const right = wanted.map((index) => nodes[index] as TreeNode);
  const matching = right.map((node) => found.filter((each) => each.contains(node) || node.contains(each)));
  const isOneToOne =
    matching.every(({ length }) => length === 1) && new Set(matching.flat()).size === right.length;
  if (!isOneToOne || found.length !== right.length) return { rowsRight: false, wrong: [] };
  const read = matching.flat();
  const wrong = fields.flatMap((field) => {
    const now = { ...field, ...suggestion.fields?.find(({ name }) => name === field.name) };
    const values = columnOf(read, now, snapshot.base);
    const count = values.filter((value, row) => value !== rows[row]?.[field.name]).length;
    return count === 0 ? [] : [{ field: field.name, was: field.selector, is: now.selector, count }];
  });
  return { rowsRight: true, wrong };
}

function find(finder: Finder, css: string): TreeNode[] {
  const selector = parseSelector(css);
  if (!selector) throw new Error(`Can't read the selector ${css}`);
  return finder.all(selector, new Effort()) ?? [];
}
