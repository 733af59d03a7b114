import { execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** Why a part can't run on this machine, and what it needs. */
export class Missing extends Error {}

export const run = promisify(execFile);

/** What this script downloads stays here, for the next time. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner", "verify-aws");

/** The path of a program; undefined: this machine does not have it. */
export async function which(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, program);
    if (await exists(path)) return path;
  }
  return undefined;
}

export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** A file of the cache, which `make` creates in the given folder if it is not there. */
export async function cached(
  folder: string,
  file: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const place = join(CACHE, folder);
  const path = join(place, file);
  if (await exists(path)) return path;
  await mkdir(place, { recursive: true });
  try {
    await make(place);
    await access(path);
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new Missing(`${folder} could not be installed: ${stderr.trim().split("\n").at(-1) || message}`);
  }
  return path;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

export interface Background {
  /** What it has written so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program that runs until it is stopped, in a process group of its own. */
export function start(program: string, args: string[], options: SpawnOptions = {}): Background {
  const child = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += data));
  const ended = once(child, "exit");
  return {
    output: () => output,
    async stop() {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

/** Asks until the answer is there. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what} did not happen within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8"));
