import { expect, test } from "@jest/globals";
import { apiKeyId, newApiKey } from "../../../functions/accounts/api-key-format.ts";

test("a key tells its id", () => {
  for (let count = 0; count < 200; count += 1) {
    const { id, key } = newApiKey();
    expect(key).toMatch(/^glr_[0-9A-Za-z]{61}$/);
    expect(apiKeyId(key)).toBe(id);
  }
});

test("a typo anywhere is no key", () => {
  const { key } = newApiKey();
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === "a" ? "b" : "a";
    expect(apiKeyId(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
  }
  expect(apiKeyId("")).toBeUndefined();
  expect(apiKeyId(`${key}a`)).toBeUndefined();
});

test("two keys have nothing in common but their form", () => {
  const made = Array.from({ length: 500 }, newApiKey);
  expect(new Set(made.map(({ id }) => id)).size).toBe(500);
  expect(new Set(made.map(({ key }) => key.slice(16, -6))).size).toBe(500);
  // 256 bits take 43 characters of base 62; the first of them is the only one that can't be any.
  expect(62n ** 43n > 2n ** 256n && 62n ** 42n < 2n ** 256n).toBe(true);
  const used = new Set(made.flatMap(({ key }) => [...key.slice(17, -6)]));
  expect(used.size).toBe(62);
});
