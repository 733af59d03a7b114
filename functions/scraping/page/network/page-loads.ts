import type { ScrapeContext } from "../../job.ts";

/** Counts loaded pages, each once, however often a page is loaded again to come back to a checkpoint. */
export interface LoadCounter {
  /** Pages from the first step to where the run stands. */
  current: number;
  add(): void;
  /** Adds a page of several that are loaded already, and waits until the caller has accepted it. */
  addNext(): Promise<void>;
  /** What the caller threw when it was told of a page. */
  readonly refusal: unknown;
}

/** @param reported pages that the caller was told of, in all attempts together */
export function createLoadCounter(
  { onPageLoad, pagesAccepted }: Pick<ScrapeContext, "onPageLoad" | "pagesAccepted">,
  reported: { count: number },
): LoadCounter {
  let refusal: unknown;
  return {
    current: 0,
    get refusal() {
      return refusal;
    },
    add() {
      this.current += 1;
      if (this.current <= reported.count) return;
      try {
        onPageLoad();
      } catch (error) {
        refusal = error;
        throw error;
      }
      reported.count = this.current;
    },
    async addNext() {
      this.add();
      try {
        await pagesAccepted?.();
      } catch (error) {
        refusal = error;
        throw error;
      }
    },
  };
}
