import { createHmac, randomBytes } from "node:crypto";

/*
 * Signatures of the Standard Webhooks specification (https://www.standardwebhooks.com): HMAC-SHA256 with the secret's
 * bytes over `id.timestamp.body`. During a rotation, a delivery has a signature for each secret, so that receivers with
 * either secret accept it.
 */
const PREFIX = "whsec_";

/** A new secret: `whsec_` and 32 random bytes in Base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** The headers that sign a delivery. `body` is read once, piece by piece; `timestamp` is in seconds. */
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
