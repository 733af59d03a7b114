import { createPrivateKey } from "node:crypto";
import * as v from "valibot";
import { DeliveryFailure } from "../delivery.ts";

/** Who calls Google. */
export interface ServiceAccount {
  email: string;
  keyId: string | undefined;
  /** PEM. */
  key: string;
}

/** The file that Google makes of a key. Its other members, such as the address of tokens, are not used. */
const KeyFile = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    type: v.literal("service_account"),
    client_email: v.pipe(v.string(), v.email()),
    private_key_id: v.optional(v.string()),
    private_key: v.pipe(v.string(), v.check(isRsaKey)),
  }),
);

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** The account of a key file. `secret`: the name of the secret. @throws DeliveryFailure */
export function serviceAccountOf(file: string, secret: string): ServiceAccount {
  const { success, output } = v.safeParse(KeyFile, file);
  if (!success)
    throw new DeliveryFailure(
      `The secret "${secret}" must be a key of a service account: the whole JSON file that Google makes. Set it again.`,
    );
  return { email: output.client_email, keyId: output.private_key_id, key: output.private_key };
}
