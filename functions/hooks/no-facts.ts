import type { AlertFacts } from "../contract/hooks/hook.ts";

/** Facts of an event that has nothing to do with a run, a batch or credits. */
export const noFacts = (scraper: AlertFacts["scraper"]): AlertFacts => ({
  scraper,
  run: null,
  batch: null,
  credits: null,
  since: null,
  last_good_at: null,
});
