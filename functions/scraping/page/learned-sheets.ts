import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import type { LearnedSheet } from "../page-script/sheet-protocol.ts";

/** The most style sheets that a run remembers. */
const MOST = 50;

/** What the style sheets of a run's pages were found to do, so that the next pages need not read them again. */
export interface LearnedSheets {
  /** Calls back with code for each new document of a tab, now and whenever something was learned. */
  watch(onCode: (code: string) => void): void;
  learn(sheets: readonly LearnedSheet[]): void;
}

export function createLearnedSheets(): LearnedSheets {
  const known = new Map<string, LearnedSheet>();
  const callbacks: ((code: string) => void)[] = [];
  const codeOf = (sheets: readonly LearnedSheet[]) =>
    `globalThis.${PAGE_SCRIPT}?.recallSheets(${JSON.stringify(sheets)})`;
  return {
    watch(onCode) {
      callbacks.push(onCode);
      if (known.size > 0) onCode(codeOf([...known.values()]));
    },
    learn(sheets) {
      const fresh = sheets.filter(({ key }) => !known.has(key)).slice(0, MOST - known.size);
      if (fresh.length === 0) return;
      for (const sheet of fresh) known.set(sheet.key, sheet);
      for (const callback of callbacks) callback(codeOf(fresh));
    },
  };
}
