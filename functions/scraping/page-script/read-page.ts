/// <reference lib="dom" />

import { VIEWS } from "../limits.ts";
import { pageState, portion } from "./answers.ts";
import { isJson } from "./json/protocol.ts";
import { areValues, jsonProblem } from "./json/reader.ts";
import { listedFields } from "./lists/field-doubts.ts";
import {
  arePlaceholders,
  createValueNoter,
  forgetValues,
  noteValues,
  textFields,
  withValuesInView,
} from "./lists/rows.ts";
import { isPlaceholder } from "./lists/unseen.ts";
import { fieldValue, readValue, type ValueReader } from "./lists/values.ts";
import type { FieldRequest, Json, PageAnswer, PageRequest } from "./protocol.ts";
import { nodes } from "./query.ts";
import { showEach } from "./show-each.ts";
import { isFinal, isStatic } from "./static.ts";
import { createTextReader } from "./text/text.ts";
import { hiddenTexts } from "./visibility.ts";

type FieldReader = ReturnType<typeof createFieldReader>;
type Values = (string | null)[];

const nodesOf = ({ selector, frame, list }: FieldRequest): readonly Node[] => {
  const wanted = frame ? [frame].flat()[0] : (list?.selector ?? selector);
  return wanted === undefined ? [document.documentElement] : nodes(document, wanted);
};

/** Reads the elements of fields, and their values. */
function createFieldReader(fields: readonly FieldRequest[]) {
  const find = (wanted = fields): (Element | null)[] =>
    wanted.map((field) => {
      const [node] = nodesOf(field);
      return node instanceof Element ? node : (node?.parentElement ?? null);
    });
  const read = (): Values => {
    const textOf = createTextReader();
    const found = find();
    const read: ValueReader = (node, field) => readValue(node, field, textOf);
    const values = fields.map((field) => fieldValue(nodesOf(field), field, read));
    return found.map((element, index) =>
      element ? (withValuesInView(element, ofElement(element, found, values))[index] ?? null) : null,
    );
  };
  /** The values of each element: those of its own fields, null for others. */
  const readEach = (elements: readonly Element[]): Values[] => {
    const values = read();
    const found = find();
    return elements.map((element) => ofElement(element, found, values));
  };
  return { find, read, readEach };
}

/** The fields of the whole page, if at least one of them is there. */
export async function readPage({ fields, isLast }: PageRequest): Promise<Json<PageAnswer>> {
  const reader = createFieldReader(fields);
  const { find } = reader;
  const isThere = () => find().some((element) => element !== null);
  const isFilled = () => !arePlaceholders(textsOf(reader, fields), textFields(fields));
  if (!(isThere() && isFilled()) && !isLast && !isFinal())
    return JSON.stringify({ cells: [], rest: 0, ...pageState(), several: [] } satisfies PageAnswer);
  forgetValues();
  let values = reader.read();
  const unseen = isStatic() ? [] : unseenOf(reader, fields, values);
  if (unseen.length > 0) {
    const atRest = noterOf(reader);
    await showEach(unseen, { waiting: new Set(unseen), views: VIEWS.most, atRest });
    values = reader.read();
  }
  const several = listedFields(fields, nodesOf);
  const missing = fields[values.indexOf(null)]?.selector;
  const problem = missing !== undefined && isJson(missing) ? jsonProblem(missing, nodes) : undefined;
  return JSON.stringify({ ...portion([values]), ...pageState(), several, problem } satisfies PageAnswer);
}

const present = (found: readonly (Element | null)[]): Element[] =>
  found.filter((element) => element !== null);

const textsOf = ({ find }: FieldReader, fields: readonly FieldRequest[]): Element[] =>
  present(find(textFields(fields)));

/** The elements that look as if they were waiting to come into view. */
function unseenOf(reader: FieldReader, fields: readonly FieldRequest[], values: Values): Element[] {
  const placeholders = reader.find().filter((_, index) => isPlaceholder(values[index] ?? ""));
  const isShown = (element: Element) => !areValues([element]);
  return [
    ...present(placeholders).filter(isShown),
    ...textsOf(reader, fields).filter(isShown).flatMap(hiddenTexts),
  ];
}

const noterOf = ({ find, readEach }: FieldReader) =>
  createValueNoter({ items: present(find()), valuesOf: readEach, note: noteValues });

/** The values of the fields that an element has; null for other fields. */
const ofElement = (element: Element, found: readonly (Element | null)[], values: Values): Values =>
  values.map((value, index) => (found[index] === element ? value : null));
