import { expect, test } from "@jest/globals";
import { newSeed } from "../../fast-check.ts";
import { fuzz } from "./fuzz.ts";

/* Requests that no client of good will would send: every answer is one that the contract describes. */

test("whatever is sent, the answer is ours and no fault", async () => {
  const seed = newSeed();
  const { faults, logged, statuses, tried } = await fuzz(500, seed);
  // To see one again: npm run fuzz -- --requests 1000 --seed <seed>
  expect({ seed, faults, logged }).toEqual({ seed, faults: [], logged: [] });
  // It got to where runs are made, and found all kinds of mistakes.
  for (const status of [200, 201, 400, 401, 404]) expect(statuses[status]).toBeGreaterThan(0);
  for (const count of Object.values(tried)) expect(count).toBeGreaterThan(10);
}, 180_000);
