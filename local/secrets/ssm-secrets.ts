import {
  DeleteParameterCommand,
  GetParametersByPathCommand,
  ParameterNotFound,
  PutParameterCommand,
  type SSMClient,
} from "@aws-sdk/client-ssm";
import { fromStored, type SecretEntry, type SecretStore, toStored } from "../../functions/secrets/secret.ts";
import { SESSION_KEY } from "../../functions/sessions/session-key.ts";

/** The secrets of a service on AWS: SecureStrings `<path>/<account>/<name>`, under the key `alias/aws/ssm`. */
export function ssmSecrets(ssm: SSMClient, path: string): SecretStore {
  const nameOf = (account: string, name: string) => `${path}/${account}/${name}`;
  return {
    async put(account, name, secret) {
      await ssm.send(
        new PutParameterCommand({
          Name: nameOf(account, name),
          Type: "SecureString",
          Value: toStored(secret),
          Overwrite: true,
        }),
      );
    },

    async list(account) {
      const entries: SecretEntry[] = [];
      const Path = `${path}/${account}`;
      for (let NextToken: string | undefined, isFirst = true; isFirst || NextToken; isFirst = false) {
        // The hosts are encrypted together with the value, so that nobody can change them separately.
        const page = await ssm.send(
          new GetParametersByPathCommand({ Path, WithDecryption: true, NextToken }),
        );
        for (const { Name = "", Value = "", LastModifiedDate } of page.Parameters ?? []) {
          const name = Name.slice(Path.length + 1);
          if (name === SESSION_KEY) continue;
          const { hosts } = fromStored(Value);
          const set_at = (LastModifiedDate ?? new Date(0)).toISOString();
          entries.push({ name, hosts, set_at });
        }
        NextToken = page.NextToken;
      }
      return entries.sort((one, other) => one.name.localeCompare(other.name));
    },

    async remove(account, name) {
      try {
        await ssm.send(new DeleteParameterCommand({ Name: nameOf(account, name) }));
        return true;
      } catch (error) {
        if (error instanceof ParameterNotFound) return false;
        throw error;
      }
    },
  };
}
