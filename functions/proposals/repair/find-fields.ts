import type { Row } from "../../contract/runs/run.ts";
import { transformed } from "../../values/transform.ts";
import type { Effort } from "../effort.ts";
import { type Column, columnsOf } from "../lists/columns.ts";
import { type Kind, kindOfAll } from "../lists/kinds.ts";
import { classKey } from "../lists/shapes.ts";
import { type Choice, SelectorChooser } from "../selectors/choose-selector.ts";
import { parseSelector } from "../selectors/parse-selector.ts";
import { Finder } from "../selectors/selector.ts";
import type { Tree, TreeNode } from "../tree.ts";
import type { FoundRows } from "./find-rows.ts";
import {
  isReadable,
  type KnownValue,
  keyAt,
  type Place,
  type ReadField,
  textKey,
  valueIn,
} from "./known-values.ts";

/** How a field reads its value of a row: the element, by the row, and the selector that finds it. */
export interface FoundField {
  name: string;
  /** The selector below the row; absent if the value is on the row itself. */
  selector?: string;
  attribute?: string;
  /** The element of each row; undefined if the row has none. */
  at: (row: TreeNode) => TreeNode | undefined;
  /** Whether the selector or the attribute is another one than before. */
  isNew: boolean;
}

/** How many rows have to have the earlier value at the same place. */
const ROWS_LEAST = 2;
/** The share of the rows with a known value that a new selector has to find. */
const SHARE_LEAST = 0.3;
/** The same for the selector that the field has. Other rows may have changed. */
const KEPT_SHARE = 0.8;
/** The most places in rows for which a selector is chosen. */
const GROUPS_MAX = 4;
/** Elements that only their positions tell apart. */
const CELLS = new Set(["td", "th", "dd"]);
/** The cost of reading the row itself: a redesign may put more into it. */
const ROW_COST = 20;
/** Kinds by which a column is found whose values have all changed, such as prices. */
const SURE_KINDS = new Set<Kind>(["price", "date", "email", "image"]);

/** Finds the fields of a list in its rows. Fields that the rows do not show are left out. */
export class FieldFinder {
  readonly #base: string;
  readonly #nodes: readonly TreeNode[];
  readonly #effort: Effort;
  readonly #found: FoundRows;
  readonly #finder: Finder;
  readonly #chooser: SelectorChooser;
  readonly #rowOf = new Map<TreeNode, TreeNode>();

  constructor(tree: Tree, found: FoundRows) {
    this.#base = tree.snapshot.base;
    this.#nodes = tree.nodes;
    this.#effort = tree.effort;
    this.#found = found;
    const inside = found.rows.flatMap((row) => row.descendants());
    for (const row of found.rows) for (const node of row.descendants()) this.#rowOf.set(node, row);
    this.#finder = new Finder(inside, new Set(found.rows));
    this.#chooser = new SelectorChooser(inside, tree.effort, found.rows);
  }

  /** @param earlier the rows of an earlier run, also those that the page does not have */
  fields(fields: readonly ReadField[], earlier: readonly Row[]): FoundField[] {
    const changeable = fields.filter(
      (field) => (isReadable(field) || field.transform) && !this.#hasColumn(field),
    );
    const found = changeable.flatMap((field) => this.#kept(field) ?? this.#byValues(field) ?? []);
    const missing = changeable.filter(({ name }) => !found.some((field) => field.name === name));
    return missing.length === 0 ? found : [...found, ...this.#byColumn(missing, found, earlier)];
  }

  /** Whether a table of the page has the column that a field names. */
  #hasColumn({ column }: ReadField): boolean {
    const isHead = ({ tag, text }: TreeNode) =>
      (tag === "th" || tag === "td") && textKey(text) === textKey(column ?? "");
    return column !== undefined && this.#nodes.some(isHead);
  }

  /** The known value of a field, by row. */
  #known(name: string): Map<TreeNode, KnownValue> {
    return new Map(
      [...this.#found.known].flatMap(([row, { values }]) => {
        const isHere = ({ field, places }: KnownValue) =>
          field === name && places.some(({ node }) => row.contains(node));
        const value = values.find(isHere);
        return value ? [[row, value] as const] : [];
      }),
    );
  }

  /** The selector that the field has, if it still finds what it found before. */
  #kept(field: ReadField): FoundField | undefined {
    if (field.column !== undefined) return undefined;
    const at = this.#elementsBy(field.selector);
    const known = this.#known(field.name);
    if (!at || known.size < ROWS_LEAST) return undefined;
    const same = [...known].filter(([row, { key }]) => {
      const node = at(row);
      return node !== undefined && keyAt(node, field, this.#base) === key;
    });
    if (same.length < known.size * KEPT_SHARE) return undefined;
    return { ...placeOf(field), at, isNew: false };
  }

  /** The element of each row that a selector finds; undefined if the selector can't be evaluated here. */
  #elementsBy(css: string | undefined): ((row: TreeNode) => TreeNode | undefined) | undefined {
    if (css === undefined) return (row) => row;
    const selector = parseSelector(css);
    const found = selector && this.#finder.all(selector, this.#effort);
    return found && this.#firstOf(found);
  }

  #firstOf(found: readonly TreeNode[]): (row: TreeNode) => TreeNode | undefined {
    const firsts = new Map<TreeNode, TreeNode>();
    for (const node of found) {
      const row = this.#rowOf.get(node);
      if (row && !firsts.has(row)) firsts.set(row, node);
    }
    return (row) => firsts.get(row);
  }

  /** A selector for the elements that hold the known values. */
  #byValues(field: ReadField): FoundField | undefined {
    const known = this.#known(field.name);
    const groups = new Map<string, Map<TreeNode, Place>>();
    for (const [row, { places }] of known)
      for (const place of places) {
        if (!row.contains(place.node)) continue;
        const key = pathIn(row, place);
        const group = groups.get(key) ?? new Map<TreeNode, Place>();
        groups.set(key, group);
        if (!group.has(row)) group.set(row, place);
      }
    const largest = [...groups.values()].sort((a, b) => b.size - a.size).slice(0, GROUPS_MAX);
    const isRight = (at: FoundField["at"], attribute: string | undefined) =>
      [...known].filter(([row, { places }]) =>
        places.some((place) => place.node === at(row) && place.attribute === attribute),
      ).length;
    const [best] = largest
      .flatMap((group) => this.#chosen(field, group) ?? [])
      .map((choice) => ({ ...choice, count: isRight(choice.field.at, choice.field.attribute) }))
      .sort((a, b) => b.count - a.count || a.cost - b.cost);
    const isEnough = best && best.count >= Math.max(ROWS_LEAST, known.size * SHARE_LEAST);
    return isEnough ? best.field : undefined;
  }

  #chosen(
    field: ReadField,
    group: ReadonlyMap<TreeNode, Place>,
  ): { field: FoundField; cost: number } | undefined {
    const [first] = group.values();
    const { name } = field;
    const found = { name, ...(first?.attribute && { attribute: first.attribute }), isNew: true };
    if ([...group].every(([row, { node }]) => row === node))
      return { field: { ...found, at: (row) => row }, cost: ROW_COST };
    const empty = [...this.#found.known].flatMap(([row, known]) =>
      valueIn(known.row, name) === undefined ? [row] : [],
    );
    const isEmpty = new Set(empty);
    const wanted = new Map(
      [...group].flatMap(([row, { node }]) => (isEmpty.has(row) ? [] : [[row, node] as const])),
    );
    if (wanted.size === 0) return undefined;
    const choice = this.#choose(wanted, empty) ?? this.#choose(wanted, []);
    const matching = choice && this.#finder.all(choice.selector, this.#effort);
    if (!matching) return undefined;
    return { field: { ...found, selector: choice.css, at: this.#firstOf(matching) }, cost: choice.cost };
  }

  /** A selector whose first match in each of these rows is the wanted element, and that matches nothing in `empty` ones. */
  #choose(wanted: ReadonlyMap<TreeNode, TreeNode>, empty: readonly TreeNode[]): Choice | undefined {
    return this.#chooser.choose([...wanted.values()], (found) => {
      const at = this.#firstOf(found);
      return (
        [...wanted].every(([row, node]) => at(row) === node) && empty.every((row) => at(row) === undefined)
      );
    });
  }

  /** Fields whose values are found neither as they were nor at their old place. */
  #byColumn(
    missing: readonly ReadField[],
    found: readonly FoundField[],
    earlier: readonly Row[],
  ): FoundField[] {
    const { rows } = this.#found;
    const isTaken = ({ nodes, attribute }: Column) =>
      found.some(
        (field) =>
          field.attribute === attribute && rows.every((row, index) => field.at(row) === nodes[index]),
      );
    const columns = columnsOf(rows, this.#base).filter((column) => !isTaken(column));
    const kinds = new Map(missing.map((field) => [field, kindOf(field, earlier)]));
    const isOnly = (kind: Kind) => [...kinds.values()].filter((each) => each === kind).length === 1;
    return missing.flatMap((field) => {
      const kind = kinds.get(field);
      const column = field.transform
        ? this.#columnWith(field, columns)
        : kind && isOnly(kind) && !this.#finds(field, kind)
          ? onlyColumn(columns, kind)
          : undefined;
      if (!column) return [];
      const { nodes, attribute } = column;
      const places = nodes.flatMap((node, index): [TreeNode, Place][] =>
        node ? [[rows[index] as TreeNode, { node, ...(attribute && { attribute }) }]] : [],
      );
      return this.#chosen(field, new Map(places))?.field ?? [];
    });
  }

  /** The column that has the known values after the transforms of a field. */
  #columnWith(
    { name, transform = [], attribute }: ReadField,
    columns: readonly Column[],
  ): Column | undefined {
    const { rows, known } = this.#found;
    const hits = (column: Column) =>
      rows.filter((row, index) => {
        const wanted = known.get(row)?.row[name];
        const result = transformed(column.values[index] ?? "", transform);
        return wanted !== undefined && "value" in result && result.value === wanted;
      }).length;
    const rated = columns
      .filter((column) => column.attribute === attribute)
      .map((column) => ({ column, count: hits(column) }))
      .sort((a, b) => b.count - a.count);
    return rated[0] && rated[0].count >= ROWS_LEAST ? rated[0].column : undefined;
  }

  /** Whether the selector that a field has finds values of a kind in most rows. */
  #finds(field: ReadField, kind: Kind): boolean {
    const at = this.#elementsBy(field.selector);
    if (field.column !== undefined || !at) return false;
    const texts = this.#found.rows.flatMap((row) => at(row)?.text || []);
    return texts.length >= this.#found.rows.length / 2 && kindOfAll(texts) === kind;
  }
}

/** The column of a kind, if there is only one. The values of such kinds may all change, as prices do. */
function onlyColumn(columns: readonly Column[], kind: Kind): Column | undefined {
  const [column, ...others] = SURE_KINDS.has(kind) ? columns.filter((each) => each.kind === kind) : [];
  return others.length === 0 ? column : undefined;
}

/** The kind of the values that a field had; undefined if it had none. */
function kindOf({ name, attribute }: ReadField, earlier: readonly Row[]): Kind | undefined {
  const values = earlier.flatMap((row) => valueIn(row, name) ?? []);
  if (values.length === 0) return undefined;
  return attribute === "src" ? "image" : kindOfAll(values);
}

const placeOf = ({ name, selector, attribute }: ReadField) => ({
  name,
  ...(selector !== undefined && { selector }),
  ...(attribute !== undefined && { attribute }),
});

/** What the elements of a field have in common: the tags and classes from the row on, and the attribute. */
function pathIn(row: TreeNode, { node, attribute }: Place): string {
  const steps: string[] = [attribute ?? ""];
  for (const at of node.selfAndAncestors()) {
    if (at === row) break;
    steps.push(`${at.tag}.${classKey(at)}${CELLS.has(at.tag) ? at.nth : ""}`);
  }
  return steps.join("/");
}
