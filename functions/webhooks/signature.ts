import { createHmac, randomBytes } from "node:crypto";

/*
 * Signatures as the Standard Webhooks specification has them (https://www.standardwebhooks.com): HMAC-SHA256 with
 * the secret's bytes over `id.timestamp.body`. While a secret is being changed, a delivery carries one signature of
 * each, and a receiver that knows either accepts it.
 */
const PREFIX = "whsec_";

/** A new secret: `whsec_` and 32 random bytes in base 64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** The headers that sign a delivery. `body` is read once, piece by piece; `timestamp` counts seconds. */
export async function signedHeaders(
  secrets: readonly string[],
  { id, timestamp }: { id: string; timestamp: number },
  body: AsyncIterable<string | Uint8Array>,
): Promise<Record<string, string>> {
  const hmacs = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64")).update(`${id}.${timestamp}.`),
  );
  for await (const piece of body) for (const hmac of hmacs) hmac.update(piece);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": hmacs.map((hmac) => `v1,${hmac.digest("base64")}`).join(" "),
  };
}
