import { jestExpect } from "@jest/expect";
import { ModernFakeTimers } from "@jest/fake-timers";
import type { Config } from "@jest/types";
import { ModuleMocker } from "jest-mock";

/*
 * What tests import as `@jest/globals`: test/jest/runner.ts redirects that name to this module. Of `jest`, it has what works
 * without a module registry of Jest's own.
 */

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from "jest-circus";
export const expect = jestExpect;

const mocks = new ModuleMocker(globalThis);
/** Of a project's configuration, they only need what they print stack traces and take their defaults from. */
const config = { rootDir: process.cwd(), testMatch: [], fakeTimers: {} } as unknown as Config.ProjectConfig;
const timers = new ModernFakeTimers({ config, global: globalThis });

export const jest = {
  fn: mocks.fn.bind(mocks),
  spyOn: mocks.spyOn.bind(mocks),
  resetAllMocks: () => mocks.resetAllMocks(),
  restoreAllMocks: () => mocks.restoreAllMocks(),
  // Node.js itself depends on the two that are not faked.
  useFakeTimers: (options?: Parameters<typeof timers.useFakeTimers>[0]) =>
    timers.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"], ...options }),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: timers.setSystemTime.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
};
