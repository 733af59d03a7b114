import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ClassicLevel } from "classic-level";

/** What the command line has to know to work on the running service of a data folder. */
export interface ServiceFile {
  /** Base URL of the API. */
  url: string;
  dynamoDbEndpoint: string;
  sqsEndpoint: string;
  pid: number;
}

/** The account and key made on the first start. */
export interface Credentials {
  account: string;
  api_key: string;
}

/** A problem that the person who started the command can solve. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The folder in which one local service keeps everything. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  get tablePath(): string {
    return join(this.path, "table");
  }

  get credentialsPath(): string {
    return join(this.path, "credentials.json");
  }

  get secretsPath(): string {
    return join(this.path, "secrets");
  }

  get #servicePath(): string {
    return join(this.path, "service.json");
  }

  /**
   * Takes the folder for this process, until it ends however it ends.
   * @throws UsageError when another process has it
   */
  async lock(): Promise<{ release(): Promise<void> }> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    // LevelDB's lock goes with its process, so one that was killed leaves nothing to clean up.
    const lock = new ClassicLevel(join(this.path, "lock"));
    try {
      await lock.open();
    } catch (cause) {
      const service = await this.readService();
      const who = service ? ` by the service at ${service.url} (process ${service.pid})` : "";
      throw new UsageError(
        `The data folder ${this.path} is in use${who}. Stop that one first, or choose another folder with --data.`,
        { cause },
      );
    }
    return { release: () => lock.close() };
  }

  readService(): Promise<ServiceFile | undefined> {
    return readJson(this.#servicePath);
  }

  writeService(service: ServiceFile): Promise<void> {
    return writeJson(this.#servicePath, service);
  }

  readCredentials(): Promise<Credentials | undefined> {
    return readJson(this.credentialsPath);
  }

  writeCredentials(credentials: Credentials): Promise<void> {
    return writeJson(this.credentialsPath, credentials);
  }
}

export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written aside and renamed, so that nobody ever reads half of it; for the owner's eyes only. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const aside = `${path}.new`;
  await writeFile(aside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(aside, 0o600);
  await rename(aside, path);
}
