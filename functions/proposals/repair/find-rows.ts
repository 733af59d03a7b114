import { candidates, siblingsOf } from "../lists/lists.ts";
import { commonAncestor, rowWith, type Tree, type TreeNode } from "../tree.ts";
import type { KnownRow } from "./known-values.ts";

/** The rows of a list that holds the values of earlier rows. */
export interface FoundRows {
  /** All rows, also those that no earlier run has read. */
  rows: readonly TreeNode[];
  /** The earlier rows that stand on the page, and where. */
  known: ReadonlyMap<TreeNode, KnownRow>;
}

/** The least sum of the weights of all values. */
const EVIDENCE_LEAST = 2;
/** The least weight of a row's values: half of what a value has that stands nowhere else. */
const ROW_LEAST = 0.5;
/** How many earlier rows have to be found. One row may stand anywhere, such as in a box of its own. */
const ROWS_LEAST = 2;
/** The least weight of a value by which rows are found. Those of fields may stand in all rows, such as "In stock". */
const VALUE_LEAST = 0.05;
/** The share of the values on the page that have to be in rows of the list. */
const SHARE_LEAST = 0.5;
/** A list whose values weigh a little less may be chosen, if it is a smaller part of the page. */
const TIE = 0.97;

interface Rated extends FoundRows {
  weight: number;
}

/**
 * Finds the list that holds the values of earlier rows: among all sets of elements that look alike, the one in which most
 * values of a row are together, and different rows are apart. Undefined if too few values stand on the page.
 */
export function findRows(tree: Tree, earlier: readonly KnownRow[]): FoundRows | undefined {
  const anchors = earlier.flatMap((row) => {
    const rare = row.values.filter(({ weight }) => weight === 1).flatMap(({ places }) => places.at(-1) ?? []);
    return rare[0] ? [rare[0].node] : [];
  });
  if (anchors.length < ROWS_LEAST) return undefined;
  const sets = [...candidates(tree), siblingsOf([...new Set(anchors)])].filter((rows) => rows.length >= 2);
  const rated = sets
    .filter((rows) => anchors.some((node) => rowWith(rows, node)))
    .map((rows) => rate(rows, earlier))
    .filter(({ known, weight }) => known.size >= ROWS_LEAST && weight >= EVIDENCE_LEAST);
  const most = Math.max(0, ...rated.map(({ weight }) => weight));
  const all = earlier.flatMap(({ values }) => values).reduce((sum, { weight }) => sum + weight, 0);
  if (most < all * SHARE_LEAST) return undefined;
  const sizeOf = ({ rows }: Rated) => commonAncestor(rows)?.size ?? tree.nodes.length;
  return rated
    .filter(({ weight }) => weight >= most * TIE)
    .reduce<Rated | undefined>(
      (best, each) => (best && sizeOf(best) <= sizeOf(each) ? best : each),
      undefined,
    );
}

/** Assigns each earlier row to the row that has most of its values, if no other earlier row has more there. */
function rate(rows: readonly TreeNode[], earlier: readonly KnownRow[]): Rated {
  const known = new Map<TreeNode, KnownRow>();
  const weights = new Map<TreeNode, number>();
  for (const each of earlier) {
    const sums = new Map<TreeNode, number>();
    for (const { places, weight } of each.values) {
      if (weight < VALUE_LEAST) continue;
      const holding = new Set(places.flatMap(({ node }) => rowWith(rows, node) ?? []));
      for (const row of holding) sums.set(row, (sums.get(row) ?? 0) + weight);
    }
    const [best] = [...sums].sort(([, a], [, b]) => b - a);
    if (!best || best[1] < ROW_LEAST || best[1] <= (weights.get(best[0]) ?? 0)) continue;
    weights.set(...best);
    known.set(best[0], each);
  }
  return { rows, known, weight: [...weights.values()].reduce((sum, weight) => sum + weight, 0) };
}
