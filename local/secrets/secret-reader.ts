import { RunFailure } from "../../functions/runs/failure.ts";
import type { Secret, SecretReader } from "../../functions/secrets/secret.ts";
import { SESSION_KEY } from "../../functions/sessions/session-key.ts";
import { UsageError } from "../data/data-folder.ts";
import type { SecretsFolder } from "./secrets-folder.ts";

/** Returns a function that reads the secrets of a local service for a run. */
export const secretReader =
  (folder: SecretsFolder): SecretReader =>
  async (account, names) => {
    const found = new Map<string, Secret>();
    try {
      for (const name of names) {
        const secret = await (name === SESSION_KEY ? folder.sessionKey(account) : folder.get(account, name));
        if (secret !== undefined) found.set(name, secret);
      }
    } catch (cause) {
      // A UsageError is permanent, so the run fails without a retry.
      if (cause instanceof UsageError) throw new RunFailure("secret_unavailable", cause.message, { cause });
      throw cause;
    }
    return found;
  };
