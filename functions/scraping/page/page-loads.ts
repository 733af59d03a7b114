/** Counts loaded pages, each once, however often a page is loaded again to come back to a checkpoint. */
export interface LoadCounter {
  /** Pages from the first step to where the run stands. */
  current: number;
  add(): void;
  /** What the caller threw when it was told of a page. */
  readonly refusal: unknown;
}

/** @param reported pages that the caller was told of, in all attempts together */
export function createLoadCounter(onPageLoad: () => void, reported: { count: number }): LoadCounter {
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
  };
}
