/// <reference lib="dom" />
import type { KnownSheet, LearnedSheet, Suspects } from "../sheet-protocol.ts";
import { isStatic } from "../static.ts";
import { importsOf } from "./sheet-rules.ts";

/**
 * What style sheets were found to do on earlier pages of the run. To read the rules of a style sheet takes milliseconds,
 * and most pages of a site have the same ones.
 */

/** A style sheet whose rules take more characters than this is read on each page. */
const MOST_CHARACTERS = 50_000;

const recalled = new Map<string, Suspects>();
let learned: LearnedSheet[] = [];

/** Takes what was learned on pages before this one; null: another page has found something else. */
export function recallSheets(sheets: readonly KnownSheet[]): void {
  for (const { key, suspects } of sheets) {
    if (suspects) recalled.set(key, suspects);
    else recalled.delete(key);
  }
}

/** What was learned on this page since the last call. */
export function takeLearnedSheets(): LearnedSheet[] {
  const taken = learned;
  learned = [];
  return taken;
}

/** What identifies the content of a style sheet that no script changes; undefined where nothing does. */
function identityOf(
  { href }: CSSStyleSheet,
  rules: CSSRuleList,
): { key: string; isCached: boolean } | undefined {
  // What a style sheet imports may be another one on each page.
  if (href === null || importsOf(rules).length > 0 || !isStatic()) return undefined;
  const loads = performance.getEntriesByName(href, "resource") as PerformanceResourceTiming[];
  const size = loads.at(-1)?.decodedBodySize ?? 0;
  if (size === 0) return undefined;
  return {
    key: [href, rules.length, size, document.characterSet, document.compatMode].join(" "),
    isCached: loads.every(({ transferSize }) => transferSize === 0),
  };
}

/**
 * What the rules of a style sheet can do: recalled if the browser took the sheet from its cache, where an earlier page has
 * put it.
 * @param read reads its rules; undefined where they can't be judged
 */
export function remembered(
  sheet: CSSStyleSheet,
  rules: CSSRuleList,
  read: () => Suspects | undefined,
): Suspects | undefined {
  const identity = identityOf(sheet, rules);
  const before = identity?.isCached ? recalled.get(identity.key) : undefined;
  if (before) return before;
  const suspects = read();
  if (!identity || !suspects || JSON.stringify(suspects).length > MOST_CHARACTERS) return suspects;
  learned.push({ key: identity.key, suspects });
  return suspects;
}
