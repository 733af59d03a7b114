import { Configuration } from "@crawlee/playwright";

/** Requests side by side; the tuned script has as many tabs. */
const ABREAST = 4;

/** A crawler that checks for requests at once, keeps no sessions, and does not scale. */
export const EAGER = {
  minConcurrency: ABREAST,
  maxConcurrency: ABREAST,
  useSessionPool: false,
  persistCookiesPerSession: false,
  autoscaledPoolOptions: {
    desiredConcurrency: ABREAST,
    maybeRunIntervalSecs: 0.005,
    loggingIntervalSecs: null,
  },
};

/** Nothing is written to the disk. A crawler of its own has a queue of its own. */
export const inMemory = () => new Configuration({ persistStorage: false });
