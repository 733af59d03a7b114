import type { Row } from "../../contract/runs/run.ts";
import type { Effort } from "../effort.ts";
import { type Choice, SelectorChooser } from "../selectors/choose-selector.ts";
import type { TreeNode } from "../tree.ts";
import type { Column } from "./columns.ts";
import { fieldNames } from "./field-names.ts";
import type { Kind } from "./kinds.ts";

/** A field that a list could have: the properties of a `ListField` of a definition, and statistics of its values. */
export interface FieldProposal {
  name: string;
  /** The CSS selector below the row; absent if the value is on the row itself. */
  selector?: string;
  /** The attribute that has the value; absent if the value is the text. */
  attribute?: string;
  kind: Kind;
  /** The share of rows that have a value, from 0 to 1. */
  filled: number;
  /** The number of different values. */
  distinct: number;
  /** The first three different values, each cut to 200 characters. */
  samples: string[];
}

const SAMPLES = 3;
const SAMPLE_MAX = 200;

/** Fields, and for each field and row the index of the element in the snapshot. */
export interface FieldsWithCells {
  fields: FieldProposal[];
  cells: (number | null)[][];
}

/**
 * Chooses a name and a selector for each column. Columns for which no selector is found are left out.
 * @param others further columns, whose fields get names that the others do not have
 * @returns the fields, the first three rows of them, the values of each field, and the fields of `others`
 */
export function fieldsOf(
  rows: readonly TreeNode[],
  columns: readonly Column[],
  others: readonly Column[],
  effort: Effort,
): FieldsWithCells & { sampleRows: Row[]; values: Column["values"][]; others: FieldsWithCells } {
  const inside = rows.flatMap((row) => row.descendants());
  const rowOf = new Map<TreeNode, number>();
  for (const [index, row] of rows.entries()) for (const node of row.descendants()) rowOf.set(node, index);
  const chooser = new SelectorChooser(inside, effort, rows);
  const all = [...columns, ...others].flatMap((column) => {
    const choice = selectorIn(chooser, rows, rowOf, column);
    return choice === undefined ? [] : [{ column, choice }];
  });
  const names = fieldNames(
    rows,
    all.map(({ column }) => column),
  );
  const fields = all.map(({ column, choice }, index) => {
    const values = column.values.filter((value) => value !== undefined);
    return {
      name: names[index] as string,
      ...(choice !== "row" && { selector: choice.css }),
      ...(column.attribute && { attribute: column.attribute }),
      kind: column.kind,
      filled: Math.round((values.length / rows.length) * 100) / 100,
      distinct: new Set(values).size,
      samples: [...new Set(values)].slice(0, SAMPLES).map((value) => value.slice(0, SAMPLE_MAX)),
    };
  });
  const other = new Set(others);
  const chosen = all.filter(({ column }) => !other.has(column));
  const sampleRows = rows.slice(0, SAMPLES).map((_, row) =>
    Object.fromEntries(
      chosen.flatMap(({ column }, index) => {
        const value = column.values[row];
        return value === undefined ? [] : [[names[index] as string, value.slice(0, SAMPLE_MAX)]];
      }),
    ),
  );
  const cells = all.map(({ column }) => Array.from(column.nodes, (node) => node?.index ?? null));
  const count = chosen.length;
  return {
    fields: fields.slice(0, count),
    cells: cells.slice(0, count),
    sampleRows,
    values: chosen.map(({ column }) => column.values),
    others: { fields: fields.slice(count), cells: cells.slice(count) },
  };
}

/**
 * A selector whose first match in each row is the column's element; "row" if that is the row itself; undefined if there
 * is none.
 */
function selectorIn(
  chooser: SelectorChooser,
  rows: readonly TreeNode[],
  rowOf: ReadonlyMap<TreeNode, number>,
  { nodes }: Column,
): Choice | "row" | undefined {
  if (nodes.every((node, index) => node === undefined || node === rows[index])) return "row";
  const wanted = nodes.filter((node) => node !== undefined);
  const isFirst = (found: readonly TreeNode[]) => {
    const firsts: (TreeNode | undefined)[] = Array(rows.length);
    for (const node of found) {
      const row = rowOf.get(node);
      if (row !== undefined) firsts[row] ??= node;
    }
    return nodes.every((node, index) => firsts[index] === node);
  };
  // Where it is cheap enough, the selector matches nothing else, so that it does not depend on the order.
  const only = chooser.choose(wanted);
  return only && only.cost <= ONLY_COST ? only : (chooser.choose(wanted, isFirst) ?? only);
}

/** The highest cost of a selector that matches only the column's elements, not others after them. */
const ONLY_COST = 25;
