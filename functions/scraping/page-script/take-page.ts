/// <reference lib="dom" />
import { watchChanges } from "./changes.ts";
import { arePlaceholders, textFields, valuesOf } from "./lists/rows.ts";
import { isPlaceholder } from "./lists/unseen.ts";
import {
  COUNTING_MS,
  createValueNoter,
  forgetValues,
  isZero,
  noteValues,
  withValuesInView,
} from "./lists/values-in-view.ts";
import { loadedStyles } from "./loaded-styles.ts";
import { pageState } from "./page-state.ts";
import { readPainted } from "./painting.ts";
import { portion } from "./portions.ts";
import type { Json, PageAnswer, PageRequest } from "./protocol.ts";
import { first } from "./query.ts";
import { content, countdown, filled, isFinal, startedUp } from "./readiness.ts";
import { REST_MS, showEach } from "./show-each.ts";
import { isStatic } from "./static.ts";
import { hiddenTexts } from "./text/hidden-text.ts";
import { createTextReader } from "./text/text.ts";
import { parsed, pass } from "./waiting.ts";

/** The most views of what a page may have yet to show. */
const MOST_VIEWS = 60;

/** The fields of the whole page, as soon as at least one of them is there. */
export async function takePage({ fields, waitMs, reveal }: PageRequest): Promise<Json<PageAnswer>> {
  const find = (wanted = fields) =>
    wanted.map((field) => (field.selector === undefined ? document.documentElement : first(field.selector)));
  const { left } = countdown(waitMs);
  if (document.readyState === "loading")
    await parsed(() => find().every((element) => element !== null), waitMs);
  await startedUp(waitMs);
  const isThere = () => find().some((element) => element !== null);
  if (!isThere()) await content(isThere, left, { isHopeless: isFinal });
  const wanted = textFields(fields);
  const texts = () => find(wanted).filter((element) => element !== null);
  const isFilled = () => !arePlaceholders(texts(), wanted);
  if (!isFilled()) await filled(isFilled, waitMs);
  await loadedStyles(Number.POSITIVE_INFINITY);
  if (!reveal) forgetValues();
  const read = () =>
    readPainted(() => {
      const reader = createTextReader(fields.length);
      const found = find();
      const values = found.map(
        (element, index) => valuesOf([element], fields[index]?.attribute, reader)[0] ?? null,
      );
      return found.map((element, index) =>
        element ? (withValuesInView(element, ofElement(element, found, values))[index] ?? null) : null,
      );
    });
  let values = await read();
  const mayCount = values.some(isZero);
  const noter = () =>
    createValueNoter({
      items: find().filter((element) => element !== null),
      async valuesOf(items) {
        const now = await read();
        const found = find();
        return items.map((item) => ofElement(item, found, now));
      },
      note: noteValues,
      mayCount,
    });
  const unseen = () => (isStatic() ? [] : [...placeholders(find(), values), ...hiddenIn(texts())]);
  for (const restMs of reveal ? [0, REST_MS] : []) {
    const elements = unseen();
    if (elements.length === 0) break;
    const { hasChanged } = await showEach(elements, {
      waiting: new Set(elements),
      views: MOST_VIEWS,
      restMs,
      ...(restMs > 0 && { atRest: await noter() }),
    });
    if (hasChanged && mayCount) await pass(COUNTING_MS);
    values = await read();
    if (!hasChanged) break;
  }
  watchChanges({ of: find().filter((element) => element !== null) });
  const answer: PageAnswer = {
    ...portion([values]),
    ...pageState(),
    unseen: !reveal && unseen().length > 0,
  };
  return JSON.stringify(answer);
}

/** The values of the fields that an element has; null for other fields. */
const ofElement = (
  element: Element,
  found: readonly (Element | null)[],
  values: readonly (string | null)[],
): (string | null)[] => values.map((value, index) => (found[index] === element ? value : null));

const placeholders = (elements: readonly (Element | null)[], values: readonly (string | null)[]): Element[] =>
  elements.filter((_, index) => isPlaceholder(values[index] ?? "")).filter((element) => element !== null);

const hiddenIn = (elements: readonly Element[]): Element[] =>
  hiddenTexts().filter((hidden) => elements.some((element) => element.contains(hidden)));
