/// <reference lib="dom" />

import { SEARCHED } from "../../limits.ts";
import { bare, createSurroundings, ELSEWHERE, namesOf } from "../controls.ts";
import { areValues } from "../json/reader.ts";
import { addressOf, isDisabled, PRESSABLE } from "../press.ts";
import type { DeclaredSize, ListRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { isShown } from "../visibility.ts";
import { areShiftedAlike, haveEmptySlides, windowedBoxes } from "../windows/windowed.ts";
import { LOAD_ERROR, loadErrorIn, passedError, shortTextOf } from "./load-error.ts";
import { forgetTables, isHead } from "./table-columns.ts";

/** What a page says about its list: its size, errors while loading it, and that a search has no results. */

const NUMBER = "(\\d(?:[\\d.,'\\u00a0\\u202f]*\\d)?)";
const OF = "(?:of|out of|von|de|sur|di|van|av|af|z|из|/)";
const RANGE = new RegExp(
  `${NUMBER}\\s*(?:-|–|—|to|bis|à|a|al|tot|до)\\s*${NUMBER}\\s*${OF}\\s*${NUMBER}`,
  "i",
);
const PAGE = "(?:pages?|seiten?|páginas?|pagina|pagine|sida|side|strona|страница)";
/** "Page 1 of 7", or "Pages: First 1 2 3 … Last 1 of 7". */
const PAGES = new RegExp(
  `(?:${PAGE}\\s*:?|^\\W*${PAGE}\\b.*[^\\d.,])\\s*(\\d+)\\s*${OF}\\s*(\\d+)(?!\\s?[\\d.,])`,
  "i",
);
const PART = new RegExp(`(?:showing|displaying|viewing)\\s+${NUMBER}\\s*${OF}\\s*${NUMBER}`, "i");

const numberOf = (digits = "") => Number(digits.replace(/\D/g, ""));

/** The range of rows that a text says is shown; undefined where it says none, or one that the rows don't fit into. */
function rangeIn(text: string, rows: number): DeclaredSize["range"] {
  const range = RANGE.exec(text);
  const part = range ? null : PART.exec(text);
  if (!range && !part) return null;
  const from = range ? numberOf(range[1]) : 1;
  const to = numberOf(range ? range[2] : part?.[1]);
  const total = numberOf(range ? range[3] : part?.[2]);
  const isRange = from <= to && to <= total && rows <= to - from + 1;
  return isRange ? { from, to, total } : null;
}

/** Which page of how many a text says is shown. */
function pagesIn(text: string): DeclaredSize["pages"] {
  const [, page, total] = PAGES.exec(text)?.map(Number) ?? [];
  return page !== undefined && total !== undefined && page <= total ? { page, total } : null;
}

/** What the text nearest to the list says, of those that say anything. */
function nearest<T>(rows: Element[], read: (text: string, part: Element) => T | null): T | null {
  const last = rows.at(-1) as Element;
  let inner: Element = rows[0] as Element;
  for (let at = inner.parentElement; at; at = at.parentElement) {
    if (at.contains(last)) {
      const parts = [...at.children].filter((part) => part !== inner && !isPartOfList(part, rows));
      for (const part of parts.slice(0, SEARCHED.parts)) {
        if (
          part.matches("script,style,template") ||
          part.getElementsByTagName("*").length > SEARCHED.elements
        )
          continue;
        const said = shownIn(part, read);
        if (said !== null) return said;
      }
    }
    inner = at;
  }
  return null;
}

const NOT_CHOSEN = "select,option:not(:checked)";

/** What a part of the page says, of the innermost elements that say anything, in the first one that a person can see. */
function shownIn<T>(part: Element, read: (text: string, part: Element) => T | null): T | null {
  const says = (element: Element) => read(shortTextOf(element), element) !== null;
  if (!says(part)) return null;
  // Of the options of a select, only the chosen one is shown.
  const shownParts = [part, ...part.querySelectorAll("*")].filter((at) => !at.matches(NOT_CHOSEN));
  const saying = shownParts.filter(says);
  const isInnermost = (element: Element) =>
    !saying.some((other) => other !== element && element.contains(other));
  const shown = saying.find((element) => isInnermost(element) && isShown(element));
  return shown ? read(shortTextOf(shown), shown) : null;
}

const isPartOfList = (part: Element, rows: Element[]) => {
  const [first] = rows as [Element];
  // Rows stand beside one another: which of them is asked about makes no difference, and there may be many.
  return part.localName === first.localName && part.className === first.className && rows.includes(part);
};

const countIn = (grid: Element | undefined, attribute: string): number => {
  const count = Number(grid?.getAttribute(attribute) ?? Number.NaN);
  // -1 says that the count is not known.
  return Number.isInteger(count) && count > 0 ? count : 0;
};

const ROWS = "[role=row],tr";
const HEADERS = "th,[role=columnheader]";
const CELLS = "td,[role=gridcell],[role=cell]";

/**
 * How many rows a grid says that it has, without those that only have headers; 0 if it doesn't say. If it shows its last row, and
 * also rows that the selector leaves out, such as headings of groups, it doesn't say how many there are of the others.
 */
function rowsOfGrid(grid: Element | undefined, rows: Element[]): number {
  const declared = countIn(grid, "aria-rowcount");
  if (!grid || declared === 0) return 0;
  forgetTables();
  // Of tables whose header the selector matches, too, the header is no row of the list.
  const known = new Set(rows.filter((row) => !isHead(row)).map((row) => row.closest(ROWS)));
  const others = [...grid.querySelectorAll(ROWS)].filter((row) => !known.has(row));
  const headers = others.filter((row) => row.querySelector(HEADERS) && !row.querySelector(CELLS)).length;
  const isAtEnd = grid.querySelector(`[aria-rowindex="${declared}"]`) !== null;
  return isAtEnd && others.length > headers ? 0 : Math.max(0, declared - headers);
}

/** Columns of a grid that are in the document. */
function columnsIn(grid: Element, row: Element): number {
  const indexes = [...grid.querySelectorAll("[aria-colindex]")].map((cell) =>
    cell.getAttribute("aria-colindex"),
  );
  return new Set(indexes).size || row.querySelectorAll("td,th,[role=gridcell],[role=cell]").length;
}

export function declaredSize({ selector }: Pick<ListRequest, "selector">): DeclaredSize {
  const rows = all(document, selector);
  const [first] = rows;
  if (!first) return { ...NOTHING, loadError: errorWithoutList() ?? passedError([]) };
  if (areValues(rows)) return { ...NOTHING, range: wholeRange(rows.length), loadError: null };
  const columnGrid = first.closest("[aria-colcount]") ?? undefined;
  const columns = countIn(columnGrid, "aria-colcount");
  return {
    rows: rowsOfGrid(first.closest("[aria-rowcount]") ?? undefined, rows),
    missingColumns: columnGrid && columns > 0 ? Math.max(0, columns - columnsIn(columnGrid, first)) : 0,
    range: nearest(rows, (text) => rangeIn(text, rows.length)),
    pages: nearest(rows, pagesIn),
    areSlides: areShiftedAlike(rows) || haveEmptySlides(rows),
    boxes: windowedBoxes(rows),
    moreButton: moreButton(selector),
    loadError: nearest(rows, loadErrorIn) ?? errorInRow(rows),
    passedError: passedError(rows),
    noResults: noResultsBeside(rows),
  };
}

/** A range of as many rows, anywhere on the page: nothing tells what stands near values of JSON. */
const wholeRange = (count: number): DeclaredSize["range"] => {
  const isOfRows = (text: string) => {
    const range = rangeIn(text, count);
    return range && range.to - range.from + 1 === count ? range : null;
  };
  return document.body && shownIn(document.body, isOfRows);
};

const NOTHING = {
  rows: 0,
  missingColumns: 0,
  range: null,
  pages: null,
  areSlides: false,
  boxes: 0,
  moreButton: null,
  passedError: null,
  noResults: null,
};

/** What a page that has no row of the list says of an error. */
function errorWithoutList(): string | null {
  const { body } = document;
  const isSmall = body !== null && body.getElementsByTagName("*").length <= SEARCHED.elements;
  return isSmall ? shownIn(body, loadErrorIn) : null;
}

/** What buttons that show more of a list are called, in some languages. */
const MORE =
  /^(?:(?:load|show|view|see) (?:\d+ )?more\b|more(?: \w+)?$|(?:mehr|weitere)\b.*(?:laden|anzeigen|zeigen)$|(?:afficher|charger|voir)\b.* plus\b|(?:cargar|mostrar|ver)\b.* m[áa]s\b|(?:carica|mostra|vedi)\b.* altr[eio]\b|(?:laad|toon|bekijk) meer\b)/;

/** The name of a button behind the list that shows more of it; null where there is none. */
function moreButton(list: string): string | null {
  const near = createSurroundings(list);
  for (const element of all(document, PRESSABLE)) {
    const name = namesOf(element)
      .map(bare)
      .find((each) => MORE.test(each));
    if (name === undefined || addressOf(element) !== null || isDisabled(element, list)) continue;
    if (near.isInRow(element) || !near.isAfter(element) || near.isIn(element, ELSEWHERE)) continue;
    if (near.distance(element) <= SEARCHED.near && isShown(element)) return name.slice(0, SEARCHED.added);
  }
  return null;
}

/** What sites say where a search or a filter has no results, in the languages that most of them use. */
const NO_RESULTS = new RegExp(
  [
    "\\b(?:no|0|zero) (?:[\\w-]+ ){0,2}(?:results?|matches|hits)\\b",
    "\\bno (?!pages?\\b|such\\b)(?:[\\w-]+ ){1,3}(?:found|match(?:ed|ing)?)\\b",
    "\\bnothing (?:was |has been )?(?:found|match)",
    "\\b(?:did|does|do) not match any|\\bdidn[’']t match any",
    "\\b(?:could ?n[o’']t|could not) find any",
    "^\\W*0(?: ?[-–] ?0)? (?:of|von|sur|de|di|van|av|z) 0\\b",
    "\\b(?:keine|0) (?:\\S+ )?(?:suchergebnisse|ergebnisse|treffer)\\b|\\bkeine (?:\\S+ )?(?:\\S+ )gefunden\\b|\\bnichts gefunden",
    "\\b(?:aucune?|0) (?:\\S+ )?(?:résultats?|produits? trouvé|articles? trouvé|annonces? trouvé)",
    "\\b(?:ningún|sin|0) resultados?\\b|\\bno se (?:han? )?encontra(?:ron|do)\\b",
    "\\b(?:nessun|0) risultat[oi]\\b|\\bnessun \\S+ trovat[oa]\\b",
    "\\b(?:nenhum|0) resultados?\\b|\\bnenhum \\S+ encontrado\\b",
    "\\b(?:geen|0) (?:\\S+ )?resultaten\\b|\\bniets gevonden\\b|\\bgeen \\S+ gevonden\\b",
    "\\bbrak wyników\\b|\\bnic nie znaleziono\\b|\\binga (?:träffar|resultat)\\b|\\bingen (?:treff|resultater)\\b",
    "ничего не найдено|нет результатов|見つかりません|検索結果はありません|没有找到|無結果|검색 결과가 없",
  ].join("|"),
  "i",
);
/** What sites say in place of a page that there is not. */
const NO_PAGE = new RegExp(
  [
    "\\bpage (?:\\S+ ){0,6}(?:\\S*not|\\S+n[’']t|no longer) (?:be )?(?:found|exists?|available)\\b",
    "\\bseite (?:\\S+ )?(?:nicht gefunden|existiert nicht)|\\bpage (?:introuvable|non trouvée)|\\bpágina (?:no|não) encontrada",
    "\\bpagina (?:non trovata|niet gevonden)|\\bnie znaleziono strony|\\bsidan (?:hittades inte|finns inte)",
  ].join("|"),
  "i",
);
const says = (what: RegExp, text: string, element: Element): boolean =>
  what.test(text) && element.closest(ELSEWHERE) === null;

/** What the page says where it has no results, outside of its navigation; null where it says no such thing. */
export function noResults(): string | null {
  for (const element of all(document, "body *")) {
    const said = element.textContent.replace(/\s+/g, " ").trim();
    const isSaying = said.length <= SEARCHED.sentence && says(NO_RESULTS, said, element);
    if (isSaying && isShown(element)) return said;
  }
  return null;
}

/** What a page that has rows says beside them of having no results, or of being no page of the list. */
function noResultsBeside(rows: Element[]): DeclaredSize["noResults"] {
  let isBefore = false;
  const said = nearest(rows, (text, element) => {
    if (!says(NO_RESULTS, text, element) && !says(NO_PAGE, text, element)) return null;
    isBefore = (element.compareDocumentPosition(rows[0] as Element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    return text.trim();
  });
  if (said === null || said.length > SEARCHED.sentence) return null;
  const words = wordsOf(said.replace(NO_RESULTS, " "));
  return { said, isOfSearch: isBefore && searchedFor().some((searched) => words.includes(searched)) };
}

const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;

/** What was searched for, as the page's address and its inputs tell. */
function searchedFor(): string[] {
  const inputs = all(document, "input") as HTMLInputElement[];
  const written = inputs.filter(({ type }) => /^(?:text|search)$/.test(type)).map(({ value }) => value);
  const values = [...new URLSearchParams(location.search).values(), ...written];
  // Numbers of pages and rows are no searches.
  return values.map(wordsOf).filter((words) => /\p{L}|\d{4}/u.test(words));
}

/* Errors in the place of rows. */

/** The tags and classes of an element and what is in it. */
const shapeOf = (row: Element): string =>
  [row, ...row.querySelectorAll("*")].map(({ localName, className }) => `${localName}.${className}`).join();

/**
 * What the last row of a list says, where that is no row but an error: it looks like none of the others, or says nothing
 * but that.
 */
function errorInRow(rows: readonly Element[]): string | null {
  const last = rows.at(-1);
  if (!last || last.textContent.length > SEARCHED.error) return null;
  const text = shortTextOf(last);
  const said = loadErrorIn(text, last);
  if (said === null) return null;
  const shape = shapeOf(last);
  const isAlike = rows.some((row) => row.textContent !== last.textContent && shapeOf(row) === shape);
  return isAlike && text.split(LOAD_ERROR).length < 3 ? null : text.trim();
}

/** The rows of a list without errors at its end. One that stands alone may be a row all the same. */
export function withoutErrors(rows: Element[]): Element[] {
  if (errorInRow(rows) === null) return rows;
  const count = rows.findLastIndex(({ textContent }) => textContent !== rows.at(-1)?.textContent) + 1;
  return count > 0 ? rows.slice(0, count) : rows;
}
