import { expect, jest, test } from "@jest/globals";
import { hasFailed, part } from "./part.ts";
import { Missing } from "./tools.ts";

test("a part that could not run has failed, and says why", async () => {
  const lines: string[] = [];
  const log = jest.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  await part("a deployment", async () => "done");
  expect(hasFailed()).toBe(false);
  const outcome = await part("every function", async () => {
    throw new Missing("the emulator needs Go");
  });
  log.mockRestore();
  expect(outcome).toBeUndefined();
  expect(hasFailed()).toBe(true);
  expect(lines).toEqual([
    expect.stringMatching(/^ok +a deployment /),
    expect.stringMatching(/^FAILED +every function /),
    expect.stringContaining("It could not run: the emulator needs Go"),
  ]);
});
