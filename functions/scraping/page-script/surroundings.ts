/// <reference lib="dom" />
import { all } from "./query.ts";
import { parentOf } from "./shadow-selectors.ts";

/** What stands around a list. */

/** Parts of a page that are about something else than its list, unless the list is in them. */
export const ELSEWHERE =
  "header,footer,aside,dialog,[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=dialog]";

/** An element and its ancestors, out of shadow roots, too. */
export function* around(element: Element | null): Generator<Element> {
  for (let at = element; at; at = parentOf(at)) yield at;
}

/** What is known of the list, found out only where it matters which of several elements is the control. */
export function createSurroundings(list: string | undefined) {
  const rows = list === undefined ? [] : all(document, list);
  const known = new Set(rows);
  const last = rows.at(-1);
  const ends = last ? new Set(around(last)) : new Set<Element>();
  const box = [...around(rows[0] ?? null)].slice(1).find((element) => ends.has(element));
  /** The ancestors of the whole list, the nearest first. */
  const path = [...around(box ?? null)];
  const holdsList = new Set(path);
  return {
    isInRow: (element: Element) => [...around(element)].some((at) => known.has(at)),
    /** How far up the nearest common ancestor of the list and the element is. */
    distance(element: Element): number {
      const above = new Set(around(element));
      const at = path.findIndex((ancestor) => above.has(ancestor));
      return at < 0 ? path.length : at;
    },
    /** Whether the element is in a part of the page, such as a header, that the list is not in. */
    isIn: (element: Element, parts: string) =>
      [...around(element)].some((at) => !holdsList.has(at) && at.matches(parts)),
    isAfter: (element: Element) =>
      last !== undefined && (last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  };
}

export type Surroundings = ReturnType<typeof createSurroundings>;
