import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  fromStored,
  type Secret,
  type SecretEntry,
  type SecretStore,
  toStored,
} from "../../functions/secrets/secret.ts";
import { newSessionKey, SESSION_KEY } from "../../functions/sessions/session-key.ts";
import { readJson, UsageError, writeJson } from "../data/data-folder.ts";
import { secretsKey } from "./secrets-key.ts";

const ALGORITHM = "aes-256-gcm";

/** The content of the file of a secret. `nonce`, `tag` and `data` are in Base64. */
interface SecretFile {
  name: string;
  set_at: string;
  nonce: string;
  tag: string;
  data: string;
}

/** The secrets of a local service: one folder per account with one encrypted file per secret. */
export class SecretsFolder implements SecretStore {
  readonly #path: string;
  readonly #key: () => Promise<Buffer>;
  /** Runs that begin at the same time get the same key. */
  readonly #sessionKeys = new Map<string, Promise<Secret>>();

  constructor(path: string, key: () => Promise<Buffer> = secretsKey) {
    this.#path = path;
    this.#key = key;
  }

  async put(account: string, name: string, secret: Secret, now: Date): Promise<void> {
    const nonce = randomBytes(12);
    const set_at = now.toISOString();
    const cipher = createCipheriv(ALGORITHM, await this.#key(), nonce).setAAD(boundTo(account, name, set_at));
    const data = Buffer.concat([cipher.update(toStored(secret), "utf8"), cipher.final()]);
    const [inBase64, tag] = [data, cipher.getAuthTag()].map((bytes) => bytes.toString("base64"));
    await mkdir(this.#folderOf(account), { recursive: true, mode: 0o700 });
    await writeJson(this.#fileOf(account, name), {
      name,
      set_at,
      nonce: nonce.toString("base64"),
      tag,
      data: inBase64,
    });
  }

  /** @throws UsageError if the secret can't be decrypted */
  async get(account: string, name: string): Promise<(Secret & SecretEntry) | undefined> {
    const file = await readJson<SecretFile>(this.#fileOf(account, name));
    if (file === undefined) return undefined;
    const [nonce, tag, data] = [file.nonce, file.tag, file.data].map((text) => Buffer.from(text, "base64"));
    const decipher = createDecipheriv(ALGORITHM, await this.#key(), nonce as Buffer, { authTagLength: 16 })
      .setAAD(boundTo(account, name, file.set_at))
      .setAuthTag(tag as Buffer);
    try {
      const text = decipher.update(data as Buffer, undefined, "utf8") + decipher.final("utf8");
      return { name, set_at: file.set_at, ...fromStored(text) };
    } catch (cause) {
      throw new UsageError(
        `The secret "${name}" of the account "${account}" can't be decrypted: it was set with another key, or its file was changed. Restore the key, or set the secret again.`,
        { cause },
      );
    }
  }

  /** The key of the account's sessions. The first call creates it. */
  sessionKey(account: string): Promise<Secret> {
    const known = this.#sessionKeys.get(account);
    if (known) return known;
    const key = this.get(account, SESSION_KEY).then(async (stored) => {
      if (stored) return stored;
      const created = newSessionKey();
      await this.put(account, SESSION_KEY, created, new Date());
      return created;
    });
    this.#sessionKeys.set(account, key);
    key.catch(() => this.#sessionKeys.delete(account));
    return key;
  }

  async list(account: string): Promise<SecretEntry[]> {
    const files = await readdir(this.#folderOf(account)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const entries: SecretEntry[] = [];
    for (const file of files.filter((one) => one.endsWith(".json"))) {
      const name = Buffer.from(file.slice(0, -5), "hex").toString();
      if (name === SESSION_KEY) continue;
      const secret = await this.get(account, name);
      if (secret) entries.push({ name: secret.name, hosts: secret.hosts, set_at: secret.set_at });
    }
    return entries.sort((one, other) => one.name.localeCompare(other.name));
  }

  async remove(account: string, name: string): Promise<boolean> {
    const path = this.#fileOf(account, name);
    if ((await readJson(path)) === undefined) return false;
    await rm(path, { force: true });
    return true;
  }

  #folderOf(account: string): string {
    return join(this.#path, account);
  }

  /**
   * The file name is the secret's name in hexadecimal, because some file systems don't distinguish `Key` from `key`.
   */
  #fileOf(account: string, name: string): string {
    return join(this.#folderOf(account), `${Buffer.from(name).toString("hex")}.json`);
  }
}

/**
 * The additional authenticated data. If the file of another secret is put in place of this one, it can't be decrypted.
 */
const boundTo = (account: string, name: string, setAt: string) =>
  Buffer.from(JSON.stringify([account, name, setAt]));
