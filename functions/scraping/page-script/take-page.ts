/// <reference lib="dom" />
import { watchChanges } from "./changes.ts";
import { arePlaceholders, valuesOf, wantTexts } from "./lists/rows.ts";
import { isPlaceholder } from "./lists/unseen.ts";
import { pageState } from "./page-state.ts";
import { readPainted } from "./painting.ts";
import { portion } from "./portions.ts";
import type { Json, PageAnswer, PageRequest } from "./protocol.ts";
import { first } from "./query.ts";
import { content, countdown, filled, isFinal, loadedStyles, startedUp } from "./readiness.ts";
import { showEach } from "./show-each.ts";
import { isStatic } from "./static.ts";
import { createTextReader } from "./text/text.ts";
import { parsed } from "./waiting.ts";

/** The fields of the whole page, as soon as at least one of them is there. */
export async function takePage({ fields, waitMs }: PageRequest): Promise<Json<PageAnswer>> {
  const find = (wanted = fields) =>
    wanted.map((field) => (field.selector === undefined ? document.documentElement : first(field.selector)));
  const { left } = countdown(waitMs);
  if (document.readyState === "loading")
    await parsed(() => find().every((element) => element !== null), waitMs);
  await startedUp(waitMs);
  const isThere = () => find().some((element) => element !== null);
  if (!isThere()) await content(isThere, left, { isHopeless: isFinal });
  const textFields = fields.filter((field) => wantTexts([field]));
  const isFilled = () =>
    !arePlaceholders(
      find(textFields).filter((element) => element !== null),
      textFields,
    );
  if (!isFilled()) await filled(isFilled, waitMs);
  await loadedStyles(Number.POSITIVE_INFINITY);
  const read = () =>
    readPainted(() => {
      const texts = createTextReader(fields.length);
      return find().map((element, index) => valuesOf([element], fields[index]?.attribute, texts)[0] ?? null);
    });
  let values = await read();
  const unseen = find()
    .filter((_, index) => isPlaceholder(values[index] ?? ""))
    .filter((element) => element !== null);
  if (unseen.length > 0 && !isStatic()) {
    await showEach(unseen, { waiting: new Set(unseen) });
    values = await read();
  }
  watchChanges({ of: find().filter((element) => element !== null) });
  const answer: PageAnswer = { ...portion([values]), ...pageState() };
  return JSON.stringify(answer);
}
