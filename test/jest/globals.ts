import type { ModernFakeTimers } from "@jest/fake-timers";
import type * as Globals from "@jest/globals";
import type { ModuleMocker } from "jest-mock";

/* What tests import from "@jest/globals" (test/jest/runtime.ts): the functions of the test file that runs. */

type Mocks = Pick<ModuleMocker, "fn" | "spyOn" | "resetAllMocks" | "restoreAllMocks"> &
  Pick<
    ModernFakeTimers,
    "useFakeTimers" | "useRealTimers" | "setSystemTime" | "advanceTimersByTime" | "advanceTimersByTimeAsync"
  >;

export let afterAll: typeof Globals.afterAll;
export let afterEach: typeof Globals.afterEach;
export let beforeAll: typeof Globals.beforeAll;
export let beforeEach: typeof Globals.beforeEach;
export let describe: typeof Globals.describe;
export let expect: typeof Globals.expect;
export let jest: Mocks;
export let test: typeof Globals.test;

export type TestGlobals = Pick<
  typeof Globals,
  "afterAll" | "afterEach" | "beforeAll" | "beforeEach" | "describe" | "expect" | "test"
> & { jest: Mocks };

/** Sets the functions of the test file that is loaded next. */
export function setGlobals(globals: TestGlobals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
