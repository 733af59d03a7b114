import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { isSigned } from "../nodes/GleanerTrigger/signature.ts";

const NOW = 1_760_000_000;
const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString("base64")}`;
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const body = Buffer.from('{"type":"run.finished","note":"é"}');

const sign = (content: Buffer, timestamp: number) =>
  `v1,${createHmac("sha256", key).update(`one.${timestamp}.`).update(content).digest("base64")}`;
const headers = (change: object = {}) => ({
  "webhook-id": "one",
  "webhook-timestamp": String(NOW),
  "webhook-signature": sign(body, NOW),
  ...change,
});

test("a signed delivery is accepted, also while a secret is being changed", () => {
  assert.equal(isSigned({ body, headers: headers() }, secret, NOW + 60), true);
  assert.equal(isSigned({ body, headers: headers() }, `${other} ${secret}`, NOW), true);
  const both = headers({ "webhook-signature": `v1,AAAA ${sign(body, NOW)}` });
  assert.equal(isSigned({ body, headers: both }, secret, NOW), true);
});

for (const [what, delivery, secrets, now] of [
  ["another secret", { body, headers: headers() }, other, NOW],
  ["no secret", { body, headers: headers() }, "", NOW],
  ["another body", { body: Buffer.from("{}"), headers: headers() }, secret, NOW],
  ["another id", { body, headers: headers({ "webhook-id": "two" }) }, secret, NOW],
  ["no signature", { body, headers: headers({ "webhook-signature": undefined }) }, secret, NOW],
  [
    "another version",
    { body, headers: headers({ "webhook-signature": sign(body, NOW).replace("v1", "v2") }) },
    secret,
    NOW,
  ],
  ["an old delivery", { body, headers: headers() }, secret, NOW + 301],
  ["a delivery of the future", { body, headers: headers() }, secret, NOW - 301],
  ["no time", { body, headers: headers({ "webhook-timestamp": "now" }) }, secret, NOW],
] as const) {
  test(`${what} is refused`, () => assert.equal(isSigned(delivery, secrets, now), false));
}
