/// <reference lib="dom" />
import { ADDED_MAX, addressOf, bare, isDisabled, namesOf, PRESSABLE } from "../controls.ts";
import { all } from "../query.ts";
import { createSurroundings, ELSEWHERE } from "../surroundings.ts";
import { isShown } from "../visibility.ts";

/** What buttons that show more of a list are called, in some languages. */
const MORE =
  /^(?:(?:load|show|view|see) (?:\d+ )?more\b|more(?: \w+)?$|(?:mehr|weitere)\b.*(?:laden|anzeigen|zeigen)$|(?:afficher|charger|voir)\b.* plus\b|(?:cargar|mostrar|ver)\b.* m[áa]s\b|(?:carica|mostra|vedi)\b.* altr[eio]\b|(?:laad|toon|bekijk) meer\b)/;
/** How far up the nearest common ancestor of a list and its button is. */
const NEAR = 3;

/** The name of a button behind the list that shows more of it; null where there is none. */
export function moreButton(list: string): string | null {
  const near = createSurroundings(list);
  for (const element of all(document, PRESSABLE)) {
    const name = namesOf(element)
      .map(bare)
      .find((each) => MORE.test(each));
    if (name === undefined || addressOf(element) !== null || isDisabled(element)) continue;
    if (near.isInRow(element) || !near.isAfter(element) || near.isIn(element, ELSEWHERE)) continue;
    if (near.distance(element) <= NEAR && isShown(element)) return name.slice(0, ADDED_MAX);
  }
  return null;
}
