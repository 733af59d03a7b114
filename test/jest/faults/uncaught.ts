import { test } from "@jest/globals";

/* Both tests pass, and the file must fail, because of errors that nobody catches: test/jest/runner.test.ts. */

test("a timer throws", async () => {
  setTimeout(() => {
    throw new Error("Thrown by a timer.");
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
});
test("nobody waits for a promise", () => {
  Promise.reject(new Error("Never awaited."));
});
