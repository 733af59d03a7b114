import * as v from "valibot";
import { SECRET_NAME } from "../contract/secret-syntax.ts";
import { HostName } from "./hosts.ts";

/** What a step may type or an address may hold without a definition, a run or a log ever saying it. */
export interface Secret {
  value: string;
  /** `host` or `host:port`: where it may go. Empty: to the hosts that the scraper's own steps visit. */
  hosts: string[];
}

/** A secret as lists show it. */
export interface SecretEntry {
  name: string;
  hosts: string[];
  /** When it was last set, ISO 8601. */
  set_at: string;
}

/**
 * The account's secrets of these names; one that does not exist is left out.
 * @throws RunFailure `secret_unavailable` where one is there and can't be read
 */
export type SecretReader = (account: string, names: readonly string[]) => Promise<Map<string, Secret>>;

/** Where a service's secrets are kept. */
export interface SecretStore {
  /** Replaces the secret of that name. */
  put(account: string, name: string, secret: Secret, now: Date): Promise<void>;
  /** By name, without the values. */
  list(account: string): Promise<SecretEntry[]>;
  /** False when there is none of this name. */
  remove(account: string, name: string): Promise<boolean>;
}

/** What is shorter stands in many a text by chance, and hiding it would mangle rows. */
const MIN_LENGTH = 4;
/** A standard parameter of SSM takes 4 KB in all. */
const MAX_STORED_BYTES = 4096;

const target = {
  name: v.pipe(v.string(), v.regex(SECRET_NAME, "must be 1 to 64 of A-Z, a-z, 0-9, _ and -")),
  hosts: v.pipe(v.array(HostName), v.maxLength(20, "must be at most 20")),
};

/** All of a secret that can be checked before a person types its value. */
export const SecretTarget = v.strictObject(target);

/** A secret as a person sets it, to be checked by `validate`. */
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
    ({ value, hosts }) => Buffer.byteLength(toStored({ value, hosts })) <= MAX_STORED_BYTES,
    `is larger than ${MAX_STORED_BYTES} bytes`,
  ),
);

const Stored = v.object({ value: v.string(), hosts: v.array(v.string()) });

/** The text that is encrypted and kept: its hosts can't be changed apart from its value. SSM refuses `{{`. */
export const toStored = ({ value, hosts }: Secret): string =>
  JSON.stringify({ value, hosts }).replaceAll("{{", "{\\u007b");

export const fromStored = (text: string): Secret => v.parse(Stored, JSON.parse(text));
