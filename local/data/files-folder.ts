import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expiryIn, FileMissing, type FileStore } from "../../functions/store/files.ts";

/** Keeps the files of runs in a folder: a folder for each account, with one for each of its runs. */
export class FilesFolder implements FileStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.#path, key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Two attempts at a run may store the same file.
    const part = `${path}.${randomUUID()}`;
    try {
      await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async read(key: string) {
    const file = await open(join(this.#path, key)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOENT") throw cause;
      throw new FileMissing(`There is no file ${key}.`, { cause });
    });
    return createReadStream("", { fd: file });
  }

  async remove(prefix: string): Promise<void> {
    const slash = prefix.lastIndexOf("/");
    const folder = join(this.#path, prefix.slice(0, slash));
    const beginning = prefix.slice(slash + 1);
    if (beginning === "") return rm(folder, { recursive: true, force: true });
    for (const name of await namesIn(folder))
      if (name.startsWith(beginning)) await rm(join(folder, name), { recursive: true, force: true });
  }

  /** Deletes the files of runs that have expired. */
  async removeExpired(now: Date): Promise<void> {
    for (const account of await namesIn(this.#path)) {
      const folder = join(this.#path, account);
      for (const run of await namesIn(folder))
        if ((expiryIn(run) ?? Number.POSITIVE_INFINITY) * 1000 <= now.getTime())
          await rm(join(folder, run), { recursive: true, force: true });
    }
  }
}

/** What is in a folder; nothing if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
