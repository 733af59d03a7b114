import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the clocks of the two machines may differ, in seconds. It also limits how long a delivery can be repeated. */
const TOLERANCE = 300;

/** A delivery by the Standard Webhooks specification. */
export interface Delivery {
  /** The raw body. */
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Whether one of the secrets has signed a delivery within the last minutes.
 * @param secrets `whsec_…`, separated by spaces
 * @param now in seconds
 */
export function isSigned({ body, headers }: Delivery, secrets: string, now: number): boolean {
  const id = text(headers["webhook-id"]);
  const timestamp = text(headers["webhook-timestamp"]);
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false;
  const signatures = text(headers["webhook-signature"])
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"));
  return secrets
    .split(/\s+/)
    .filter((secret) => secret.startsWith("whsec_"))
    .some((secret) => {
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
      return signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
    });
}

const text = (header: string | string[] | undefined): string => (typeof header === "string" ? header : "");
