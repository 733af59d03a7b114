import { expect, test } from "@jest/globals";
import { codeOf } from "../../../functions/secrets/one-time-code.ts";

/** The seed of the examples in RFC 6238, "12345678901234567890". */
const SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [20000000000, "353130"],
])("the code at %d s is that of RFC 6238", (seconds, code) => {
  expect(codeOf("seed", SEED, seconds * 1000)).toBe(code);
});

test("a seed may be written as sites show it, or be the address of a QR code", () => {
  const spaced = SEED.toLowerCase().replace(/(.{4})/g, "$1 ");
  expect(codeOf("seed", ` ${spaced}\n`, 59_000)).toBe("287082");
  const address = `otpauth://totp/Shop:me?secret=${SEED}&issuer=Shop&digits=8`;
  expect(codeOf("seed", address, 59_000)).toBe("94287082");
});

test.each([
  "correct horse",
  "12345678",
  `otpauth://hotp/Shop?secret=${SEED}&counter=1`,
  "otpauth://totp/Shop",
])("%j is no seed, and no message quotes it", (seed) => {
  const code = () => codeOf("seed", seed);
  expect(code).toThrow('The secret "seed" is no seed of one-time codes. Set it again');
  expect(code).not.toThrow(seed);
});
