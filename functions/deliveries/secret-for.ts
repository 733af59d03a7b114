import { belongsTo } from "../secrets/hosts.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { DeliveryFailure } from "./delivery.ts";

/**
 * The value of a secret for a destination. `address`: where it is sent, as an https:// URL.
 * @throws DeliveryFailure if the account does not have it, or if it may not be sent there
 */
export async function secretFor(
  readSecrets: SecretReader,
  account: string,
  name: string,
  address: string,
): Promise<string> {
  const secret = (await readSecrets(account, [name])).get(name);
  if (secret === undefined)
    throw new DeliveryFailure(
      `The account has no secret "${name}". Ask the operator of the service to set it, on AWS with \`--stack\`: \`npx gleaner secret set ${name} --account ${account}\`.`,
    );
  if (secret.hosts.length > 0 && !belongsTo(secret.hosts, address))
    throw new DeliveryFailure(
      `The secret "${name}" was not used: it may go to ${secret.hosts.join(", ")} only. If ${URL.parse(address)?.host} is right, set the secret again with \`--host\` for each of its hosts.`,
    );
  return secret.value;
}
