import { isDeepStrictEqual } from "node:util";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import type { KnownSheet, LearnedSheet } from "../page-script/sheet-protocol.ts";

/** The most style sheets that a run remembers. */
const MOST = 50;

/** What the style sheets of a run's pages were found to do, so that the next pages need not read them again. */
export interface LearnedSheets {
  /** Calls back with code for each new document of a tab, now and whenever something was learned. */
  watch(onCode: (code: string) => void): void;
  /** Notes what a page has learned. Where pages have learned different things, each page reads the style sheet. */
  learn(sheets: readonly LearnedSheet[]): void;
}

export function createLearnedSheets(): LearnedSheets {
  const known = new Map<string, KnownSheet>();
  const callbacks: ((code: string) => void)[] = [];
  const codeOf = (sheets: readonly KnownSheet[]) =>
    `globalThis.${PAGE_SCRIPT}?.recallSheets(${JSON.stringify(sheets)})`;
  /** What a page has learned anew; undefined: nothing. */
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
