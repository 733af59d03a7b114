import { expect, test } from "@jest/globals";
import { runHostilePages } from "./corpus.ts";
import { hostilePages } from "./pages.ts";

/** Those whose kind no other test has. `npm run hostile` runs all of them. */
const SHORT = ["streams of blobs", "microtasks without end", "other spellings to the inside"];

test("hostile pages end, within limits, and leave nothing behind for the next run", async () => {
  expect(Object.keys(hostilePages).length).toBeGreaterThanOrEqual(60);
  expect(await runHostilePages(SHORT)).toEqual({
    ...{ pages: 3, ended: 3, within_limits: 3, next_run_ok: 3 },
    ...{ processes_left: 0, bytes_left: 0, canary_hits: 0 },
    // How a page ends depends on how far it gets while its run waits.
    outcomes: expect.any(Object),
  });
}, 400_000);
