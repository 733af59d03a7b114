import { afterAll, beforeAll, jest } from "@jest/globals";

/** Holds intervals in all tests of a file: leases are renewed when a page says so, and not by the machine's speed. */
export function holdIntervals(): void {
  beforeAll(() => {
    jest.useFakeTimers({
      doNotFake: [
        "Date",
        "hrtime",
        "nextTick",
        "performance",
        "queueMicrotask",
        "setImmediate",
        "clearImmediate",
        "setTimeout",
        "clearTimeout",
      ],
    });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
}
