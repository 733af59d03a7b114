/// <reference lib="dom" />
import { SEARCHED } from "../../limits.ts";
import { isShown } from "../visibility.ts";

/** What a page says where it could not load rows, or more of them. */

/** What sites say when they could not load more, in the languages that most of them use. */
const LOAD_ERROR = new RegExp(
  [
    "(?:something|that) went wrong",
    "an? (?:unexpected |unknown )?error (?:has )?occurred",
    "(?:failed|unable) to (?:load|fetch)|load(?:ing)? failed",
    "(?:could ?n[o'’]t|could not|cannot|can['’]t) (?:be )?(?:load|fetch)",
    "try (?:it )?again",
    "temporarily unavailable",
    "too many requests",
    "etwas ist schief ?gelaufen",
    "fehler (?:ist )?aufgetreten",
    "erneut versuchen|versuchen sie es (?:später )?(?:erneut|noch einmal)",
    "une erreur (?:est survenue|s['’]est produite)|réessaye[rz]",
    "algo salió mal|ha ocurrido un error|inténtalo de nuevo|reintentar",
    "qualcosa è andato storto|si è verificato un errore|riprova",
    "algo deu errado|ocorreu um erro|tente novamente",
    "er is iets misgegaan|probeer het opnieuw",
  ].join("|"),
  "i",
);
/** The whole name of a button that tries again. */
const RETRY =
  /^\W*(?:retry|reload|load again|wiederholen|neu laden|erneut laden|recharger|recargar|ricarica|recarregar|opnieuw laden)\W*$/i;

export const textOf = ({ textContent }: Element) =>
  textContent.slice(0, SEARCHED.text).replace(/[ \t\n\r]+/g, " ");

/** The sentence in which a part of the page says that it could not load more. */
export function loadErrorIn(text: string, part: Element): string | null {
  const isLoadError = (element: Element) => LOAD_ERROR.test(textOf(element));
  const isRetry = (element: Element) =>
    element.matches("button,[role=button],a") && RETRY.test(textOf(element));
  const elements = [part, ...part.querySelectorAll("*")];
  const innermost = LOAD_ERROR.test(text) ? elements.findLast(isLoadError) : elements.find(isRetry);
  const said = innermost && isShown(innermost) ? textOf(innermost).trim() : "";
  return said !== "" && said.length <= SEARCHED.error ? said : null;
}

/** The tags and classes of an element and what is in it. */
const shapeOf = (row: Element): string =>
  [row, ...row.querySelectorAll("*")].map(({ localName, className }) => `${localName}.${className}`).join();

/**
 * What the last row of a list says, where that is no row but an error: it looks like none of the others, or says nothing
 * but that.
 */
export function errorInRow(rows: readonly Element[]): string | null {
  const last = rows.at(-1);
  if (!last || last.textContent.length > SEARCHED.error) return null;
  const text = textOf(last);
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
