import * as v from "valibot";
import { SECRET_NAME } from "../contract/secrets/secret-syntax.ts";
import { HostName } from "./hosts.ts";

/** A value for steps and addresses that no definition, run or log contains. */
export const Secret = v.object({
  value: v.string(),
  /** `host` or `host:port`: where the secret may be sent. Empty: to the hosts that the scraper's own steps visit. */
  hosts: v.array(v.string()),
});
export type Secret = v.InferOutput<typeof Secret>;

/** A secret in a list. */
export interface SecretEntry {
  name: string;
  hosts: string[];
  /** When it was last set, ISO 8601. */
  set_at: string;
}

/**
 * The account's secrets with these names, except those that don't exist.
 * @throws RunFailure `secret_unavailable` if a secret exists but can't be read
 */
export type SecretReader = (account: string, names: readonly string[]) => Promise<Map<string, Secret>>;

/** The storage of a service's secrets. */
export interface SecretStore {
  /** Replaces the secret of that name. */
  put(account: string, name: string, secret: Secret, now: Date): Promise<void>;
  /** Sorted by name, without values. */
  list(account: string): Promise<SecretEntry[]>;
  /** False if there is no secret with this name. */
  remove(account: string, name: string): Promise<boolean>;
}

/** Shorter values occur in texts by chance, and hiding them would damage rows. */
const MIN_LENGTH = 4;
/** The limit of a standard SSM parameter is 4 KB in total. */
const MAX_STORED_BYTES = 4096;

const target = {
  name: v.pipe(v.string(), v.regex(SECRET_NAME, "must be 1 to 64 of A-Z, a-z, 0-9, _ and -")),
  hosts: v.pipe(v.array(HostName), v.maxLength(20, "must be at most 20")),
};

/** The parts of a secret that can be checked before the user enters its value. */
export const SecretTarget = v.strictObject(target);

/** A secret that a user sets. */
export const NewSecret = v.pipe(
  v.strictObject({
    ...target,
    value: v.pipe(
      v.string(),
      v.check(
        (text) => text.trim().length >= MIN_LENGTH,
        `must be at least ${MIN_LENGTH} characters: what is shorter can't be told apart from other text`,
      ),
      v.check((text) => !text.includes("\0"), "must be text, and has a NUL character"),
    ),
  }),
  v.check(
    ({ value, hosts }) => new TextEncoder().encode(toStored({ value, hosts })).length <= MAX_STORED_BYTES,
    `is larger than ${MAX_STORED_BYTES} bytes`,
  ),
);

/** The text that is encrypted: hosts and value together, so that the hosts can't be changed separately. SSM rejects `{{`. */
export const toStored = ({ value, hosts }: Secret): string =>
  JSON.stringify({ value, hosts }).replaceAll("{{", "{\\u007b");

export const fromStored = (text: string): Secret => v.parse(Secret, JSON.parse(text));
