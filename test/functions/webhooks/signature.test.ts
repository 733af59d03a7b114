import { expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret, signedHeaders } from "../../../functions/webhooks/signature.ts";

const body = { id: "run", result_rows: [{ name: "ünï 漢字" }] };
async function* pieces() {
  const text = Buffer.from(JSON.stringify(body));
  for (let at = 0; at < text.length; at += 7) yield text.subarray(at, at + 7);
}
const now = () => Math.floor(Date.now() / 1000);

test("the published library verifies a delivery, with either of two secrets", async () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const headers = await signedHeaders(secrets, { id: "run-1", timestamp: now() }, pieces());
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(JSON.stringify(body), headers)).toEqual(body);
  }
});

test("it refuses another secret, another body, another id and an old time", async () => {
  const secret = newWebhookSecret();
  const headers = await signedHeaders([secret], { id: "run-1", timestamp: now() }, pieces());
  const text = JSON.stringify(body);
  expect(() => new Webhook(newWebhookSecret()).verify(text, headers)).toThrow();
  expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(text, { ...headers, "webhook-id": "run-2" })).toThrow();
  const old = await signedHeaders([secret], { id: "run-1", timestamp: now() - 3600 }, pieces());
  expect(() => new Webhook(secret).verify(text, old)).toThrow();
});
