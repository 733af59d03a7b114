import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The content of service.json, which tells the command line how to reach the running service of a data folder. */
export interface ServiceFile {
  /** Base URL of the API. */
  url: string;
  pid: number;
}

/** The account and API key that the first start creates. */
export interface Credentials {
  account: string;
  api_key: string;
}

/** Files of runs that are still being written have a UUID at the end. */
const UNFINISHED = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isFileOfTable = (name: string) =>
  name === "credentials.json" ||
  /^secrets\/[\w-]+\/[0-9a-f]+\.json$/.test(name) ||
  (/^files(\/(?!\.)[\w.-]+){3}$/.test(name) && !UNFINISHED.test(name));

/** A problem that the user of the command line can solve. Its message says how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface DataFolderLock {
  release(): Promise<void>;
  /** Releases the lock, and removes the folder if it did not exist before. */
  remove(): Promise<void>;
}

/** The folder in which one local service keeps all its data. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  get tablePath(): string {
    return join(this.path, "table.sqlite");
  }

  get credentialsPath(): string {
    return join(this.path, "credentials.json");
  }

  get secretsPath(): string {
    return join(this.path, "secrets");
  }

  get filesPath(): string {
    return join(this.path, "files");
  }

  get #lockPath(): string {
    return join(this.path, "service.lock");
  }

  get #servicePath(): string {
    return join(this.path, "service.json");
  }

  /**
   * Creates the folder if necessary, and locks it for this process. The lock ends with `release` or with the process,
   * even if that is killed.
   * @throws UsageError if another process has locked it, or if it can't be used
   */
  async lock(): Promise<DataFolderLock> {
    const created = await this.#create();
    if (created === undefined) await this.#makePrivate();
    const lock = await this.#takeLock(created);
    return {
      release: async () => lock.release(),
      async remove() {
        // The folder is removed before the lock is released, because afterwards another process may use it.
        await removeFolder(created);
        lock.release();
      },
    };
  }

  async #takeLock(created: string | undefined): Promise<{ release(): void }> {
    try {
      const lock = lockFile(this.#lockPath);
      if (lock !== undefined) return lock;
    } catch (error) {
      await removeFolder(created);
      throw this.#unusable((error as Error).message, error);
    }
    throw await this.#inUse();
  }

  /** Whether a service is running on this folder. @throws UsageError if that can't be told */
  isInUse(): boolean {
    try {
      return existsSync(this.#lockPath) && isLocked(this.#lockPath);
    } catch (error) {
      throw this.#unusable((error as Error).message, error);
    }
  }

  /** Creates the folder and its ancestors. Returns the outermost folder that was created; undefined if all existed. */
  async #create(): Promise<string | undefined> {
    try {
      return await mkdir(this.path, { recursive: true, mode: 0o700 });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const isFile = code === "EEXIST" || code === "ENOTDIR";
      throw this.#unusable(isFile ? "a file has that name" : message, cause);
    }
  }

  /**
   * Removes the permissions of other users. Only an empty folder or one of Gleaner is changed, because the user may
   * have named the home or temp folder.
   * @throws UsageError if it is such a foreign folder, and other users have permissions for it
   */
  async #makePrivate(): Promise<void> {
    const { mode } = await stat(this.path);
    if (process.platform === "win32" || (mode & 0o077) === 0) return;
    const names = await readdir(this.path);
    const isOurs = names.length === 0 || names.includes(basename(this.credentialsPath));
    if (!isOurs) {
      throw new UsageError(
        `Others can read the data folder ${this.path}. Run \`chmod 700 ${this.path}\`, or choose another folder with --data.`,
      );
    }
    try {
      await chmod(this.path, 0o700);
    } catch (cause) {
      throw this.#unusable((cause as Error).message, cause);
    }
  }

  async #inUse(): Promise<UsageError> {
    const service = await this.readService();
    const who = service ? ` by the service at ${service.url} (process ${service.pid})` : "";
    return new UsageError(
      `The data folder ${this.path} is in use${who}. Stop that service first, or choose another folder with --data.`,
    );
  }

  #unusable(reason: string, cause: unknown): UsageError {
    return new UsageError(
      `The data folder ${this.path} can't be used: ${reason}. Make sure that you can write to it and that the disk has space, or choose another folder with --data.`,
      { cause },
    );
  }

  readService(): Promise<ServiceFile | undefined> {
    return readJson(this.#servicePath);
  }

  writeService(service: ServiceFile): Promise<void> {
    return writeJson(this.#servicePath, service);
  }

  /** Tells the next service that this one has stopped cleanly. */
  async removeService(): Promise<void> {
    await rm(this.#servicePath, { force: true });
  }

  /** The names of the files and folders, without those that each service writes anew. */
  async contents(): Promise<string[]> {
    const [lock, service] = [this.#lockPath, this.#servicePath].map((path) => basename(path));
    // SQLite has a second file beside the lock while that is held.
    const isAnew = (name: string) => name === lock || name === `${lock}-journal` || name === service;
    return (await readdir(this.path)).filter((name) => !isAnew(name));
  }

  /** The files that belong to the table, by their names in the folder: the credentials, the encrypted secrets, and the files of runs. */
  async *readFiles(): AsyncGenerator<[name: string, content: Buffer]> {
    const names = await readdir(this.path, { recursive: true });
    for (const name of names.map((one) => one.replaceAll(sep, "/")).sort()) {
      if (!isFileOfTable(name)) continue;
      const content = await readIfThere(join(this.path, name));
      if (content !== undefined) yield [name, content];
    }
  }

  /** The path of one of these files. @throws UsageError if it is none of them */
  fileOf(name: string): string {
    if (isFileOfTable(name)) return join(this.path, name);
    throw new UsageError(`"${name}" is not a file of a data folder.`);
  }

  /** The first account and its key; undefined if there is no file. @throws UsageError if the file is damaged */
  async readCredentials(): Promise<Credentials | undefined> {
    const credentials = await readJson<Partial<Credentials>>(this.credentialsPath);
    if (credentials === undefined) return undefined;
    const { account, api_key } = credentials;
    if (account !== undefined && api_key !== undefined) return { account, api_key };
    throw new UsageError(
      `${this.credentialsPath} has no account and api_key. Restore it from a backup, or delete it to get a new API key.`,
    );
  }

  writeCredentials(credentials: Credentials): Promise<void> {
    return writeJson(this.credentialsPath, credentials);
  }
}

/**
 * The content of a JSON file; undefined if there is no such file.
 * @throws UsageError if it is not valid JSON
 */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(`${path} is not valid JSON. Restore it from a backup, or delete it.`, {
        cause: error,
      });
    }
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(
      `${path} can't be read: ${message}. Check its owner, its permissions and its disk.`,
      {
        cause: error,
      },
    );
  }
}

/** The content of a file; undefined if it is a folder, or has just been removed. */
const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EISDIR") return undefined;
    throw error;
  });

/** Writes a JSON file that only its owner can read. The rename makes the write atomic. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const newPath = `${path}.new`;
  await writeFile(newPath, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(newPath, 0o600);
  await rename(newPath, path);
}

/** Removes a folder as far as possible. Ignores errors, because Windows can't remove open files. */
async function removeFolder(path: string | undefined): Promise<void> {
  if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;
/** How long to wait for the lock, in ms. `isLocked` in another process holds a shared lock for less than 1 ms. */
const WAIT_MS = 250;

/**
 * Locks a file for this process. The lock ends with `release`, or with the process, even if that is killed: the
 * operating system releases it. Returns undefined if another process has locked the file.
 */
function lockFile(path: string): { release(): void } | undefined {
  const db = new DatabaseSync(path, { timeout: WAIT_MS });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Whether a process has locked the file. The file must exist. */
function isLocked(path: string): boolean {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    db.exec("PRAGMA schema_version");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY;
