import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configFolder } from "../data/config-folder.ts";
import { UsageError } from "../data/data-folder.ts";

const KEY_BYTES = 32;

/** The key is outside the data folder, so that a copy of the data folder reveals no secret. */
const keyPath = () => join(configFolder(), "secrets.key");

/**
 * The key that encrypts local secrets: from GLEANER_SECRETS_KEY, or else from a file that only this user can read. If
 * there is no file, creates it with a new key.
 * @throws UsageError if the key is invalid
 */
export async function secretsKey(): Promise<Buffer> {
  const given = process.env.GLEANER_SECRETS_KEY;
  if (given) return parse(given, "GLEANER_SECRETS_KEY");
  const path = keyPath();
  return parse((await read(path)) ?? (await create(path)), path);
}

/** Where the key is: a variable, or a file. */
export const secretsKeyPlace = (): string =>
  process.env.GLEANER_SECRETS_KEY ? "GLEANER_SECRETS_KEY" : keyPath();

function parse(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new UsageError(
    `${where} must contain ${KEY_BYTES} bytes in Base64. \`openssl rand -base64 ${KEY_BYTES}\` creates such a key.`,
  );
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function create(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const newPath = `${path}.${randomUUID()}`;
  await writeFile(newPath, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces a key that another process has just created.
    await link(newPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(newPath);
  }
  return readFile(path, "utf8");
}
