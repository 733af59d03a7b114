/// <reference lib="dom" />
import { all } from "../query.ts";
import { ELSEWHERE } from "../surroundings.ts";
import { isShown } from "../visibility.ts";

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
/** A longer text is about something else. */
const TEXT_MAX = 200;

/** What the page says where it has no results, outside of its navigation; null where it says no such thing. */
export function noResults(): string | null {
  const textOf = ({ textContent }: Element) => textContent.replace(/\s+/g, " ").trim();
  const isSaying = (element: Element) => {
    const text = textOf(element);
    return text.length <= TEXT_MAX && NO_RESULTS.test(text);
  };
  for (const element of all(document, "body *")) {
    if (!isSaying(element) || element.closest(ELSEWHERE) !== null || !isShown(element)) continue;
    return textOf(element);
  }
  return null;
}
