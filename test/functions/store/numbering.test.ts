import { expect, test } from "@jest/globals";
import { validate, version } from "uuid";
import { newId, numberKey, numberOf } from "../../../functions/store/runs/numbering.ts";

test("an id is a UUIDv7 of its time that holds its number", () => {
  const now = new Date("2026-11-21T03:00:00.000Z");
  for (const number of [1, 2, 255, 65_536, 999_999_999_999]) {
    const id = newId(number, now);
    expect([validate(id), version(id), numberOf(id)]).toEqual([true, 7, number]);
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(now.getTime());
  }
  expect(newId(1, now)).not.toBe(newId(1, now));
});

test("other texts hold no number", () => {
  const id = newId(7, new Date());
  const others = ["", "x", id.toUpperCase(), `${id} `, "f47ac10b-58cc-4372-a567-0e02b2c3d479"];
  for (const text of others) expect(numberOf(text)).toBeUndefined();
});

test("keys sort as their numbers", () => {
  expect([1, 10, 9, 2_000_000].map(numberKey).sort()).toEqual([1, 9, 10, 2_000_000].map(numberKey));
});
