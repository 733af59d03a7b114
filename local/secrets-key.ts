import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "./data-folder.ts";

const KEY_BYTES = 32;

/** Outside of every data folder: a copy or backup of one is of no use without it. */
const keyPath = () =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "gleaner", "secrets.key");

/**
 * The key that local secrets are encrypted with: of GLEANER_SECRETS_KEY, else of a file that only this user can
 * read, which is made on first use.
 * @throws UsageError when what is there is no key
 */
export async function secretsKey(): Promise<Buffer> {
  const given = process.env.GLEANER_SECRETS_KEY;
  if (given) return parse(given, "GLEANER_SECRETS_KEY");
  const path = keyPath();
  return parse((await read(path)) ?? (await make(path)), path);
}

function parse(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new UsageError(
    `${where} has to hold ${KEY_BYTES} bytes in base 64, as \`openssl rand -base64 32\` makes.`,
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

async function make(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomUUID()}`;
  await writeFile(aside, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600 });
  try {
    // Unlike a rename, a link never takes the place of a key that another process has just made.
    await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(aside);
  }
  return readFile(path, "utf8");
}
