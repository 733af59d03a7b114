import type { Row } from "../../contract/runs/run.ts";
import type { ListField } from "../../contract/steps/steps.ts";
import { absolute, type Tree, type TreeNode } from "../tree.ts";

/** Where a value stands on the page. */
export interface Place {
  node: TreeNode;
  /** The attribute that has the value; absent if it is the text. */
  attribute?: string;
}

/** A value that an earlier run has read. */
export interface KnownValue {
  field: string;
  /** Equal for values that say the same. */
  key: string;
  /** Of elements inside each other, all are here; the outer ones come first. */
  places: readonly Place[];
  /** How much the value says about its place: 1 if it stands nowhere else, less if it does, or if it is very short. */
  weight: number;
}

/** An earlier row, and those of its values that the page has. */
export interface KnownRow {
  row: Row;
  values: readonly KnownValue[];
}

/** The part of a field that says what it reads. */
export type ReadField = Pick<
  ListField,
  "name" | "selector" | "attribute" | "text" | "all" | "column" | "transform"
>;

/** Longer texts are compared by their beginnings, because a snapshot cuts them. */
const COMPARED = 900;
/** Keys of very short values, such as numbers of two digits, which stand on many pages by chance. */
const SHORT = 4;
const SHORT_WEIGHT = 0.25;
/** More places tell nothing about where a value belongs. */
const PLACES_MAX = 400;

/** Attributes with addresses, which runs resolve against the page. */
const ADDRESSES = new Set(["href", "src", "data-src", "data-original", "data-lazy-src"]);

/** Case and white space do not count. */
export const textKey = (text: string): string =>
  text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase().slice(0, COMPARED);

/** The scheme of an address does not count. */
function attributeKey(attribute: string, value: string, base: string): string {
  const url = ADDRESSES.has(attribute) ? absolute(value.trim(), base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return textKey(value);
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}${url.hash}`.slice(
    0,
    COMPARED,
  );
}

const readsAttribute = ({ attribute }: ReadField): boolean => attribute !== undefined && attribute !== "text";

/** Whether what a field reads can be looked for in a snapshot as it is: one text that a person sees, or one attribute. */
export const isReadable = ({ text = "text", all, transform }: ReadField): boolean =>
  all !== true && transform === undefined && (text === "text" || text === "full_text");

/** How a value of a field is compared. The beginning keeps texts apart from attributes. */
const keyOf = (field: ReadField, value: string, base: string): string =>
  readsAttribute(field) ? `@${attributeKey(field.attribute as string, value, base)}` : `=${textKey(value)}`;

/** The key of what a field reads of an element; undefined if that is nothing. */
export function keyAt(node: TreeNode, field: ReadField, base: string): string | undefined {
  const value = readsAttribute(field) ? node.attribute(field.attribute as string) : node.text;
  return value === undefined || value.trim() === "" ? undefined : keyOf(field, value, base);
}

/** Finds the values of earlier rows on a page. */
export function knownRows(tree: Tree, fields: readonly ReadField[], rows: readonly Row[]): KnownRow[] {
  const { base } = tree.snapshot;
  const wanted = rows.map((row) =>
    fields.filter(isReadable).flatMap((field) => {
      const value = valueIn(row, field.name);
      return value === undefined ? [] : [{ field: field.name, key: keyOf(field, value, base) }];
    }),
  );
  const places = placesOf(tree, new Set(wanted.flat().map(({ key }) => key)));
  return wanted.map((values, index) => ({
    row: rows[index] as Row,
    values: values.flatMap(({ field, key }) => {
      const { found = [], count = 0 } = places.get(key) ?? {};
      const isRare = found.length > 0 && found.length <= PLACES_MAX;
      return isRare
        ? [{ field, key, places: found, weight: (key.length > SHORT ? 1 : SHORT_WEIGHT) / count }]
        : [];
    }),
  }));
}

/** The value of a field in a row; undefined if it has none, or an empty one. */
export const valueIn = (row: Row, name: string): string | undefined =>
  (Object.hasOwn(row, name) && row[name]?.trim()) || undefined;

/** The places of each key, and how many of them are not inside another one. */
function placesOf(tree: Tree, keys: ReadonlySet<string>): Map<string, { found: Place[]; count: number }> {
  const byKey = new Map<string, { found: Place[]; count: number }>();
  const longest = Math.max(0, ...[...keys].map(({ length }) => length));
  const note = (key: string, place: Place) => {
    if (!keys.has(key)) return;
    const known = byKey.get(key) ?? { found: [], count: 0 };
    const isInside = known.found.some(({ node }) => node !== place.node && node.contains(place.node));
    if (!isInside) known.count += 1;
    if (known.found.length <= PLACES_MAX) known.found.push(place);
    byKey.set(key, known);
  };
  for (const node of tree.nodes) {
    if (!node.isShown) continue;
    // A text whose spaces were collapsed is hardly longer than its key, unless both are cut.
    if (node.text !== "" && (node.text.length <= longest * 2 || longest >= COMPARED))
      note(`=${textKey(node.text)}`, { node });
    for (const [attribute, value] of Object.entries(node.attributes))
      if (attribute !== "class" && attribute !== "id" && value !== "")
        note(`@${attributeKey(attribute, value, tree.snapshot.base)}`, { node, attribute });
  }
  return byKey;
}
