import { GetParametersByPathCommand, ParameterAlreadyExists, PutParameterCommand } from "@aws-sdk/client-ssm";
import { fromStored, type SecretReader, toStored } from "../../secrets/secret.ts";
import { newSessionKey, SESSION_KEY } from "../../sessions/session-key.ts";
import { secretsPath } from "./environment.ts";
import { ssm } from "./ssm.ts";

/** How long secrets are cached. SSM limits the rate of requests of the whole AWS account. */
const KEPT_MS = 60_000;

/** The stored secrets of an account, by name. */
type Stored = Map<string, string>;

const kept = new Map<string, { until: number; stored: Promise<Stored> }>();

/** Reads secrets from SSM SecureStrings. All secrets of an account are read together, at most once a minute. */
export const readSecrets: SecretReader = async (account, names) => {
  if (names.includes(SESSION_KEY) && !(await storedSecrets(account)).has(SESSION_KEY))
    await addSessionKey(account);
  const stored = await storedSecrets(account);
  return new Map(
    names.flatMap((name) => {
      const value = stored.get(name);
      return value === undefined ? [] : [[name, fromStored(value)] as const];
    }),
  );
};

function storedSecrets(account: string): Promise<Stored> {
  const now = performance.now();
  for (const [other, { until }] of kept) if (until <= now) kept.delete(other);
  const known = kept.get(account);
  if (known !== undefined) return known.stored;
  const stored = readAll(account);
  kept.set(account, { until: now + KEPT_MS, stored });
  // A failure is not cached, so the next run reads again.
  stored.catch(() => kept.delete(account));
  return stored;
}

/** Stores a key for the account's sessions, unless another caller has just done so. */
async function addSessionKey(account: string): Promise<void> {
  const key = new PutParameterCommand({
    Name: `${secretsPath()}/${account}/${SESSION_KEY}`,
    Type: "SecureString",
    Value: toStored(newSessionKey()),
  });
  await ssm()
    .send(key)
    .catch((error) => {
      if (!(error instanceof ParameterAlreadyExists)) throw error;
    });
  kept.delete(account);
}

async function readAll(account: string): Promise<Stored> {
  const Path = `${secretsPath()}/${account}`;
  const stored: Stored = new Map();
  let NextToken: string | undefined;
  do {
    const command = new GetParametersByPathCommand({ Path, WithDecryption: true, NextToken });
    const { Parameters = [], NextToken: next } = await ssm().send(command);
    for (const { Name = "", Value = "" } of Parameters) stored.set(Name.slice(Path.length + 1), Value);
    NextToken = next;
  } while (NextToken !== undefined);
  return stored;
}
