import TestSequencer from "@jest/test-sequencer";

/** Tests that take longer than their size tells, the longest first. */
const LONG = ["/test/e2e/chaos/", "/hostile-", "/test/e2e/", "/test/functions/scraping/"];

/**
 * Jest begins with the files that took longest before, and where it does not know that, as in CI, with the largest
 * ones. Then a short file with a long test would run last, alone.
 */
export default class LongestFirst extends TestSequencer {
  /** @override */
  sort(tests) {
    const sorted = [...super.sort(tests)];
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const rank = ({ path }) => {
      const index = LONG.findIndex((part) => path.includes(part));
      return index < 0 ? LONG.length : index;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
