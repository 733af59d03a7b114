/// <reference lib="dom" />
import { JSONPathEnvironment, JSONPathError, type JSONPathQuery, type JSONValue } from "json-p3";
import { RESPONSE } from "../../../contract/steps/json-response.ts";
import { jsonInScript, readJson } from "../../../parse-json.ts";
import { wildcardTest } from "../../../wildcard.ts";
import { JSON_DATA } from "../../limits.ts";
import {
  DATA_DOCUMENT,
  type DataResponse,
  type Find,
  JSON_READER,
  JSON_SELECTOR,
  type JsonProblem,
  type JsonReader,
  type JsonRequest,
} from "./protocol.ts";

/**
 * Reads JSON that a page carries: each value that a path finds becomes an element in a document of its own, so that lists of
 * such values are read, compared and paginated as lists of elements are. It is beside the page script in runs that need it.
 */

/** What a source has said: its text, the value, and the elements for what paths find in it. */
interface Parsed {
  text: string;
  value: unknown;
  problem: JsonProblem | undefined;
  found: Map<string, Element[]>;
  page: Document;
}

/** A text that may be JSON, and the node or the response that it is of. */
type Source = { of: Node | DataResponse; text: string | null };

const environment = new JSONPathEnvironment({ maxRecursionDepth: JSON_DATA.depth });
const queries = new Map<string, JSONPathQuery>();
const parsed = new WeakMap<Node | DataResponse, Parsed>();
const values = new WeakMap<Node, unknown>();
/** In the order of their requests. */
const responses: DataResponse[] = [];
/** After how many actions the first response of a list came to which later ones add, by its selector. */
const begins = new Map<string, number>();

function queryOf(path: string): JSONPathQuery {
  const query = queries.get(path) ?? environment.compile(path);
  queries.set(path, query);
  return query;
}

/** The values that a path finds. @throws JSONPathError if they are too deep */
const valuesAt = (path: string, value: unknown): unknown[] =>
  queryOf(path)
    .query(value as JSONValue)
    .values();

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);

function elementOf(value: unknown, page: Document): Element {
  const element = page.createElement("json");
  element.textContent = textOf(value);
  values.set(element, value);
  return element;
}

const blank = () => document.implementation.createHTMLDocument("");

function read({ of, text }: Source): Parsed {
  const known = parsed.get(of);
  if (known && known.text === (text ?? "")) return known;
  // Rows of what it said before are gone.
  known?.page.body.replaceChildren();
  const now: Parsed = {
    text: text ?? "",
    value: undefined,
    problem: undefined,
    found: new Map(),
    page: blank(),
  };
  if (text === null || text.length > JSON_DATA.characters) now.problem = "large";
  else
    try {
      now.value = of instanceof Node ? jsonInScript(text) : readJson(text).value;
    } catch {
      now.problem = "invalid";
    }
  parsed.set(of, now);
  return now;
}

function elementsAt(path: string, source: Parsed): Element[] {
  if (source.problem) return [];
  const known = source.found.get(path);
  if (known) return known;
  let found: Element[] = [];
  try {
    found = valuesAt(path, source.value).map((value) => elementOf(value, source.page));
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    source.problem = "deep";
  }
  source.page.body.append(...found);
  source.found.set(path, found);
  return found;
}

const requestOf = (selector: string): JsonRequest => JSON.parse(selector.slice(JSON_SELECTOR.length));

/** The responses from an address. Of those, the ones after the last action that brought some count, or with `grows` all. */
function responsesFrom(selector: string, pattern: string, grows: boolean): DataResponse[] {
  const isWanted = wildcardTest(pattern);
  const wanted = responses.filter(({ url }) => isWanted(url));
  const last = wanted.reduce((most, { actions }) => Math.max(most, actions), 0);
  if (!grows) return wanted.filter(({ actions }) => actions === last);
  if (wanted.length > 0 && !begins.has(selector)) begins.set(selector, last);
  return wanted.filter(({ actions }) => actions >= (begins.get(selector) ?? 0));
}

function sourcesOf(root: Parameters<Find>[0], selector: string, find: Find): Source[] {
  const { source = DATA_DOCUMENT, grows = false } = requestOf(selector);
  if (source.startsWith(RESPONSE))
    return responsesFrom(selector, source.slice(RESPONSE.length), grows).map((of) => ({ of, text: of.text }));
  return find(root, source).map((of) => ({
    of,
    text: of instanceof Element ? of.textContent : (of.nodeValue ?? ""),
  }));
}

const reader: JsonReader = {
  nodes: (root, selector, find) =>
    sourcesOf(root, selector, find).flatMap((source) => elementsAt(requestOf(selector).path, read(source))),
  below: (row, path) => {
    const page = row.ownerDocument ?? document;
    return valuesAt(path, values.get(row)).map((value) => elementOf(value, page));
  },
  valueOf(node) {
    if (!values.has(node)) return undefined;
    return values.get(node) === null ? null : node.textContent;
  },
  problem(selector, find) {
    const sources = sourcesOf(document, selector, find).map(read);
    if (sources.length === 0) return "absent";
    const [problem] = sources.flatMap((source) => source.problem ?? []);
    return sources.every((source) => source.problem) ? (problem ?? "unmatched") : "unmatched";
  },
  note(response) {
    const at = responses.findIndex(({ number }) => number >= response.number);
    if (at < 0) responses.push(response);
    else responses.splice(at, responses[at]?.number === response.number ? 1 : 0, response);
  },
};

const world = globalThis as { [JSON_READER]?: JsonReader };
world[JSON_READER] ??= reader;
