import { expect, test } from "@jest/globals";
import { mixedKinds } from "../../../../functions/proposals/lists/kinds.ts";

test.each([
  ["prices and texts", ["€46k", "Full-time", "€50k", "Hybrid"], "price"],
  ["dates and texts", ["2024-01-02", "Berlin", "Paris", "2024-01-03"], "date"],
])("%s are mixed", (_, values, kind) => {
  expect(mixedKinds(values)).toMatchObject({ kind, one: expect.any(String), other: expect.any(String) });
});

test.each([
  ["equal texts beside prices", ["€46", "On request", "€50", "On request"]],
  [
    "a few texts among prices",
    ["€46", "€47", "€48", "€49", "€50", "€51", "€52", "€53", "€54", "Call", "Ask"],
  ],
  ["texts and numbers", ["Alder", "12", "Birch", "14"]],
  ["one value", ["€46"]],
  ["no values", []],
])("%s are not mixed", (_, values) => {
  expect(mixedKinds(values)).toBeUndefined();
});
