import { Secret, TOTP, URI } from "otpauth";
import { RunFailure } from "../runs/failure.ts";

/**
 * The current one-time code of a seed, as an authenticator app shows it (RFC 6238).
 * @param seed in base32, as sites show it beside the QR code, or the `otpauth://` address of the QR code
 * @throws RunFailure if the secret is no seed
 */
export function codeOf(name: string, seed: string, timestamp = Date.now()): string {
  try {
    return generatorOf(seed.trim()).generate({ timestamp });
  } catch {
    // The cause would quote the seed.
    throw new RunFailure(
      "secret_unavailable",
      `The secret "${name}" is no seed of one-time codes. Set it again: to the key in base32 that the site shows beside its QR code, or to the otpauth:// address in the QR code.`,
    );
  }
}

/** Sites give seeds of 80 bits or more. */
const SEED_MIN_BYTES = 10;

function generatorOf(seed: string): TOTP {
  const generator = /^otpauth:/i.test(seed)
    ? URI.parse(seed)
    : new TOTP({ secret: Secret.fromBase32(seed.replace(/[\s-]/g, "").toUpperCase()) });
  if (generator instanceof TOTP && generator.secret.bytes.length >= SEED_MIN_BYTES) return generator;
  throw new Error("The seed is too short, or for codes by counter.");
}
