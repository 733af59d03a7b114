import { isDeepStrictEqual } from "node:util";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import type { KnownSheet, LearnedSheet } from "../page-script/sheet-protocol.ts";

/** The most style sheets that a run remembers. */
const MOST = 50;

/** The effects of the style sheets of a run's pages, so that the next pages need not read the sheets again. */
export interface StyleSheetCache {
  /** Calls back with code to evaluate in each new document of a tab: now, and whenever the cache changes. */
  watch(onCode: (code: string) => void): void;
  /** Adds what a page has found. If pages have found different effects, each page reads the style sheet itself. */
  learn(sheets: readonly LearnedSheet[]): void;
}

export function createStyleSheetCache(): StyleSheetCache {
  const known = new Map<string, KnownSheet>();
  const callbacks: ((code: string) => void)[] = [];
  const codeOf = (sheets: readonly KnownSheet[]) =>
    `globalThis.${PAGE_SCRIPT}?.recallSheets(${JSON.stringify(sheets)})`;
  /** The change of the cache by what a page has found; undefined: none. */
  const newsOf = ({ key, suspects }: LearnedSheet): KnownSheet | undefined => {
    const before = known.get(key);
    if (before === undefined) return known.size < MOST ? { key, suspects } : undefined;
    const isSame = before.suspects === null || isDeepStrictEqual(before.suspects, suspects);
    return isSame ? undefined : { key, suspects: null };
  };
  return {
    watch(onCode) {
      callbacks.push(onCode);
      if (known.size > 0) onCode(codeOf([...known.values()]));
    },
    learn(sheets) {
      const told: KnownSheet[] = [];
      for (const sheet of sheets) {
        const news = newsOf(sheet);
        if (!news) continue;
        known.set(news.key, news);
        told.push(news);
      }
      if (told.length > 0) for (const callback of callbacks) callback(codeOf(told));
    },
  };
}
