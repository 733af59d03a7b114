/// <reference lib="dom" />
import { SEARCHED } from "../../limits.ts";
import { isShown } from "../visibility.ts";

/** Where a page says that it could not load rows, or more of them. */

/** What sites say when they could not load more, in the languages that most of them use. */
export const LOAD_ERROR = new RegExp(
  [
    "(?:something|that) went wrong(?! ?\\?)",
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

export const shortTextOf = ({ textContent }: Element) =>
  textContent.slice(0, SEARCHED.text).replace(/[ \t\n\r]+/g, " ");

/** The sentence in which a part of the page says that it could not load more. */
export function loadErrorIn(text: string, part: Element): string | null {
  const isLoadError = (element: Element) => LOAD_ERROR.test(shortTextOf(element));
  const isRetry = (element: Element) =>
    element.matches("button,[role=button],a") && RETRY.test(shortTextOf(element));
  const elements = [part, ...part.querySelectorAll("*")];
  const innermost = LOAD_ERROR.test(text) ? elements.findLast(isLoadError) : elements.find(isRetry);
  const said = innermost && isShown(innermost) ? shortTextOf(innermost).trim() : "";
  return said !== "" && said.length <= SEARCHED.error ? said : null;
}

/* Errors that a page shows for some seconds only: its time passes in leaps, and they are gone when it is looked at. */

interface ShownError {
  said: string;
  /** Where it was shown. */
  element: Element;
}

/** The last one since rows came. */
let shown: ShownError | undefined;

/** To be called when rows have come: what was shown before has not kept them back. */
export function forgetErrors(): void {
  shown = undefined;
}

/** The elements that a change may have shown, or given another text. */
function changedBy({ type, target, addedNodes }: MutationRecord): Element[] {
  const nodes = type === "childList" ? [...addedNodes].slice(-SEARCHED.changed) : [target];
  return nodes.flatMap((node) => (node instanceof Element ? node : (node.parentElement ?? [])));
}

/** Whether there is little enough in an element to look into it after each change. */
const isSmall = (element: Element): boolean =>
  element.getElementsByTagName("*").length <= SEARCHED.elements &&
  element.textContent.length <= SEARCHED.text;

const errorIn = (element: Element): string | null => loadErrorIn(shortTextOf(element), element);

/** Notes an error that a page shows now, of what its last changes may have shown. */
export function noteErrors(records: readonly MutationRecord[]): void {
  const changed = new Set(records.slice(-SEARCHED.changed).flatMap(changedBy));
  for (const element of [...changed].slice(-SEARCHED.changed)) {
    const said = element.isConnected && isSmall(element) ? errorIn(element) : null;
    if (said !== null) shown = { said, element };
  }
}

/** An error that a page has shown since its rows came, outside of them, and that is gone; null where there was none. */
export function passedError(rows: readonly Element[]): string | null {
  if (!shown) return null;
  const { said, element } = shown;
  const isStillShown = element.isConnected && errorIn(element) === said;
  return isStillShown || rows.some((row) => row.contains(element)) ? null : said;
}
