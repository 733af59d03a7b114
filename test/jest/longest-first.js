import TestSequencer from "@jest/test-sequencer";

/** Parts of the paths of tests that take longer than the size of their file suggests. The longest come first. */
const LONG = ["/test/e2e/chaos/", "/hostile-", "/test/e2e/", "/test/functions/scraping/"];

/**
 * Sorts test files. Jest starts with the files that took longest in an earlier run. Without an earlier run, as in CI,
 * it starts with the largest files. Then a small file with a long test would run last, alone. So this class moves such
 * tests to the front.
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
