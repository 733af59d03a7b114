import { afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { names } from "../../../console/pages/runs/names.ts";

/* Each of these tests must fail, except for those that say that they pass: test/jest/runner.test.ts. */

test("passes", () => {
  jest.useFakeTimers();
  jest.spyOn(Math, "random").mockReturnValue(0);
  names.value = new Map([["run", "left behind"]]);
  process.env.GLEANER_FAULTS = "left behind";
});
test("a wrong value", () => expect(1).toBe(2));
test("a rejection", async () => expect(Promise.reject(new Error("No."))).resolves.toBe(1));
test("no end", () => new Promise(() => {}), 50);
test("an assertion too few", () => expect.assertions(1));
test.concurrent("beside others", async () => expect(1).toBe(2));
test.each([1, 2])("only %d passes", (number) => expect(number).toBe(1));
describe("a hook", () => {
  beforeAll(() => {
    throw new Error("Not ready.");
  });
  test("before", () => {});
});
describe("a hook", () => {
  afterEach(() => {
    throw new Error("Not clean.");
  });
  test("after", () => {});
});
test.skip("is not run", () => {});
