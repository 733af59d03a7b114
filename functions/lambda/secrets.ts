import { GetParametersCommand } from "@aws-sdk/client-ssm";
import { fromStored, type Secret, type SecretReader } from "../secrets/secret.ts";
import { secretsPath } from "./environment.ts";
import { ssm } from "./ssm.ts";

/** The most names in one request. */
const MOST_NAMES = 10;

/** Reads an account's secrets from SSM SecureStrings. Each run reads them again, so a change takes effect at once. */
export const readSecrets: SecretReader = async (account, names) => {
  const path = `${secretsPath()}/${account}/`;
  const found = new Map<string, Secret>();
  for (let from = 0; from < names.length; from += MOST_NAMES) {
    const Names = names.slice(from, from + MOST_NAMES).map((name) => path + name);
    const { Parameters = [] } = await ssm().send(new GetParametersCommand({ Names, WithDecryption: true }));
    for (const { Name = "", Value = "" } of Parameters) found.set(Name.slice(path.length), fromStored(Value));
  }
  return found;
};
