import { expect, test } from "@jest/globals";
import { names } from "../../../console/pages/runs/names.ts";

test("a rejection is handled later", async () => {
  const rejected = Promise.reject(new Error("Awaited later."));
  await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(rejected).rejects.toThrow("Awaited later.");
});
test("nothing is left of a file that ran before", () => {
  expect(process.env.GLEANER_FAULTS).toBeUndefined();
  expect(names.value.size).toBe(0);
  expect(setTimeout).not.toHaveProperty("clock");
  expect(Math.random).not.toHaveProperty("mock");
});
