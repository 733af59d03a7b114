/** Messages about JSON that a page carries. */

/** The name of the JSON reader, beside the page script. Only runs that read JSON have it. */
export const JSON_READER = "__gleanerJson";

/** What the selector of a list or a value of JSON begins with, before a `JsonRequest` as JSON. */
export const JSON_SELECTOR = "json=";

/** Where a page for a document of JSON has its text. */
export const DATA_DOCUMENT = "head > script#gleaner-data";

export const isJson = (selector: string): boolean => selector.startsWith(JSON_SELECTOR);

export interface JsonRequest {
  /** As in `JsonSource` of the contract; absent: the document. */
  source?: string | undefined;
  path: string;
  /** Whether later responses add to the list. Otherwise those take its place that came after a later action. */
  grows?: boolean | undefined;
}

/** A response with data. */
export interface DataResponse {
  /** The number of its request: later ones have higher numbers. */
  number: number;
  url: string;
  /** How many actions, such as clicks, came before its request. */
  actions: number;
  /** Null if it is too large. */
  text: string | null;
}

/**
 * Why a path finds nothing. `absent`: there is no such source. `invalid`: it is no JSON. `large`, `deep`: it exceeds the limit.
 * `unmatched`: the path matches nothing in it.
 */
export type JsonProblem = "absent" | "invalid" | "large" | "deep" | "unmatched";

/** What the page script can ask the JSON reader. */
export interface JsonReader {
  /** An element for each value that a selector of JSON finds: the same one as long as the source stays as it is. */
  nodes(root: Document | Element | ShadowRoot, selector: string, find: Find): Element[];
  /** The same for what a path finds in the value of a row. */
  below(row: Node, path: string): Element[];
  /** The text of the value of such an element, null if there is none; undefined for other nodes. */
  valueOf(node: Node): string | null | undefined;
  problem(selector: string, find: Find): JsonProblem;
  note(response: DataResponse): void;
}

/** Finds the nodes that CSS or XPath selects. */
export type Find = (root: Document | Element | ShadowRoot, selector: string) => Node[];
