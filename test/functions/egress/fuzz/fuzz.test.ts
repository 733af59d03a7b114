import { expect, test } from "@jest/globals";
import { newSeed } from "../../../fast-check.ts";
import { fuzzEgress } from "./fuzz.ts";

test("malformed requests and answers end no proxy, leave no connection open and reach nothing forbidden", async () => {
  const seed = newSeed();
  expect(await fuzzEgress(300, seed)).toEqual({
    seed,
    requests: 300,
    hung: 0,
    crashes: [],
    canary_hits: 0,
    open: 0,
    serves: true,
    heap_mb: { before: expect.any(Number), after: expect.any(Number) },
  });
});
