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
