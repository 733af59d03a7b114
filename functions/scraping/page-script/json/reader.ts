/// <reference lib="dom" />
import { type Find, JSON_READER, type JsonProblem, type JsonReader } from "./protocol.ts";

/** What the page script asks the JSON reader, which only runs have that read JSON. */

const world = globalThis as { [JSON_READER]?: JsonReader };

export const jsonNodes = (root: Parameters<Find>[0], selector: string, find: Find): Element[] =>
  world[JSON_READER]?.nodes(root, selector, find) ?? [];

/** What a path finds in the value of a row. */
export const jsonBelow = (row: Node, path: string): Element[] => world[JSON_READER]?.below(row, path) ?? [];

/** The text of a value of JSON, null if there is none; undefined for other nodes. */
export const jsonValue = (node: Node): string | null | undefined => world[JSON_READER]?.valueOf(node);

/** Whether rows are values of JSON, which no person sees, and which are nowhere on the page. */
export const areValues = ([first]: readonly Node[]): boolean =>
  first !== undefined && jsonValue(first) !== undefined;

export const jsonProblem = (selector: string, find: Find): JsonProblem | undefined =>
  world[JSON_READER]?.problem(selector, find);
