/// <reference lib="dom" />
import { SAMPLE } from "../../limits.ts";
import { jsonBelow } from "../json/reader.ts";
import type { FieldRequest, ListRequest } from "../protocol.ts";
import { all, nodes, scoped } from "../query.ts";
import { cellOf } from "./table-columns.ts";

/** Which nodes of a row a field stands for. */

/** Whether the rows being read have anything to do with shadow roots. */
let inShadow = false;
/** What ends the rows being read, by selector. */
let ends = new Map<string, Set<Element>>();

export const hasShadow = (row: Element): boolean =>
  row.getRootNode() !== document ||
  row.shadowRoot !== null ||
  [...row.querySelectorAll("*")].some((element) => element.shadowRoot !== null);

/** To be called before the nodes of rows are looked up, whenever the page may have changed. */
export function beginRows(rows: readonly Element[]): void {
  inShadow = rows.slice(0, SAMPLE.shadow).some(hasShadow);
  ends = new Map();
}

/** The element with which the next row begins, among those that follow a row as its siblings. */
function endOf(row: Element, { selector, until }: NonNullable<FieldRequest["rows"]>): Element | null {
  const endsOf = (one: string) => {
    const known = ends.get(one) ?? new Set(all(row.ownerDocument, one));
    ends.set(one, known);
    return known;
  };
  const isEnd = (at: Element) => endsOf(selector).has(at) || (until !== undefined && endsOf(until).has(at));
  let at = row.nextElementSibling;
  while (at && !isEnd(at)) at = at.nextElementSibling;
  return at;
}

const XPATH = /^\s*(xpath=|\.{0,2}\/|\.\.|\()/;
/** A selector of siblings, which `querySelector` does not reach from the row itself. */
const SIBLING = /^\s*(?::scope\s*)?([+~][\s\S]*)$/;

/** Whether a selector may find something behind the row. */
const mayFollow = (selector: string | undefined): boolean =>
  selector !== undefined && (SIBLING.test(selector) || (XPATH.test(selector) && /following/.test(selector)));

/** A request whose fields know where rows end, as far as they may find something behind their row. */
export const withEnds = <T extends Pick<ListRequest, "selector" | "until" | "fields">>(request: T): T => {
  const { selector, until } = request;
  const mayLeave = (field: FieldRequest) => until !== undefined || mayFollow(field.selector);
  const rows = { selector, until };
  return {
    ...request,
    fields: request.fields.map((field) => (mayLeave(field) ? { ...field, rows } : field)),
  };
};

/** @param isOne whether the first one is enough */
function below(scope: Element, selector: string, isOne: boolean): readonly Node[] {
  if (XPATH.test(selector)) return nodes(scope, selector);
  const css = scoped(selector.replace(/^\s*css=/, ""));
  if (inShadow && !(isOne && scope.querySelector(css))) return all(scope, selector);
  const first = scope.querySelector(css);
  if (!first) return [];
  if (isOne && first.prefix === null) return [first];
  const found = [...scope.querySelectorAll(css)];
  // In XML, "title" means elements of this name, and those of extensions, such as "itunes:title", only where there is none.
  const own = found.filter(({ prefix }) => prefix === null);
  return own.length > 0 ? own : found;
}

function siblings(row: Element, selector: string): readonly Node[] {
  let number = 1;
  for (let at = row.previousElementSibling; at; at = at.previousElementSibling) number += 1;
  return [...(row.parentElement?.querySelectorAll(`:scope > :nth-child(${number}) ${selector}`) ?? [])];
}

/** What a selector finds in an element and its following siblings, up to the end of the row. */
function inGroup(row: Element, selector: string, end: Element | null, isOne: boolean): readonly Node[] {
  const found: Node[] = [];
  // A selector of several parts needs something around what it finds.
  const isSimple = !XPATH.test(selector) && !/[\s>+~]/.test(selector.replace(/\[[^\]]*\]|\([^)]*\)/g, ""));
  for (let at: Element | null = row; at && at !== end; at = at.nextElementSibling) {
    if (isSimple && at.matches(selector.replace(/^\s*css=/, ""))) found.push(at);
    found.push(...below(at, selector, isOne));
    if (isOne && found.length > 0) break;
  }
  return found;
}

const isBefore = (node: Node, end: Element): boolean =>
  !end.contains(node) && (end.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) === 0;

/** The nodes that a field stands for in a row, or the frames that they are in, in document order. @param isOne whether the first one is enough */
export function nodesOf(
  row: Element,
  field: FieldRequest,
  isOne = !field.all && !field.list,
): readonly Node[] {
  const { column, rows, frame } = field;
  const path = field.list?.path ?? field.path;
  if (path !== undefined) return jsonBelow(row, path);
  const selector = frame ? [frame].flat()[0] : (field.list?.selector ?? field.selector);
  const scope = column === undefined ? row : cellOf(row, column);
  if (!scope) return [];
  if (selector === undefined) return [scope];
  const end = rows ? endOf(row, rows) : null;
  const sibling = SIBLING.exec(selector)?.[1];
  if (rows?.until !== undefined && !mayFollow(selector)) return inGroup(row, selector, end, isOne);
  const found = sibling === undefined ? below(scope, selector, isOne) : siblings(scope, sibling);
  return end ? found.filter((node) => isBefore(node, end)) : found;
}

/** The element that a field stands for in a row: the first one. Null for those in a frame. */
export function elementOf(row: Element, field: FieldRequest): Element | null {
  if (field.frame) return null;
  const [node] = nodesOf(row, field, true);
  return node instanceof Element ? node : null;
}
