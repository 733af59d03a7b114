import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { SessionState } from "../../../functions/contract/sessions/session.ts";
import { StateTooLarge, seal, unseal } from "../../../functions/sessions/seal.ts";

const key = randomBytes(32);
const BOUND_TO = ["acme", "shop", "2026-11-26T10:00:00.000Z"];
const stateWith = (value: string): SessionState => ({
  cookies: [],
  origins: [{ origin: "https://shop.example", localStorage: [{ name: "token", value }] }],
});

test("a sealed state is read again, and has nothing in clear", async () => {
  const state = stateWith("s3cret-token");
  const sealed = await seal(state, key, BOUND_TO);
  expect(sealed.includes("s3cret-token") || sealed.includes("shop.example")).toBe(false);
  expect(await unseal(sealed, key, BOUND_TO)).toEqual(state);
});

test("a state that was changed, cut off, or copied to another account, name or time is not used", async () => {
  const sealed = await seal(stateWith("s3cret-token"), key, BOUND_TO);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(await unseal(changed, key, BOUND_TO)).toBeUndefined();
  }
  for (const length of [0, 11, 12, 27, 28, sealed.length - 1])
    expect(await unseal(sealed.subarray(0, length), key, BOUND_TO)).toBeUndefined();
  for (const index of BOUND_TO.keys())
    expect(await unseal(sealed, key, BOUND_TO.with(index, "other"))).toBeUndefined();
  expect(await unseal(sealed, randomBytes(32), BOUND_TO)).toBeUndefined();
});

test("a state of 5 MB is kept if it is small when it is compressed, and refused otherwise", async () => {
  const repeated = stateWith("ab".repeat(2_500_000));
  expect(await unseal(await seal(repeated, key, BOUND_TO), key, BOUND_TO)).toEqual(repeated);
  const random = stateWith(randomBytes(3_750_000).toString("base64"));
  await expect(seal(random, key, BOUND_TO)).rejects.toBeInstanceOf(StateTooLarge);
});
