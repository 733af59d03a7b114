import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MOST_STARTS = 5;

/** A process that is started again whenever it is killed. */
export class Victim {
  readonly #script: string;
  readonly #args: (start: number) => string[];
  readonly #logFile: string;
  #child: ChildProcess | undefined;
  #starts = 0;

  constructor(script: string, args: (start: number) => string[], logFile: string) {
    this.#script = fileURLToPath(new URL(script, import.meta.url));
    this.#args = args;
    this.#logFile = logFile;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it says that it is ready. If a fault ends its start, it is started again, as a supervisor does it. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#startOnce();
      } catch (error) {
        if (tries === MOST_STARTS) throw error;
      }
    }
  }

  async #startOnce(): Promise<void> {
    this.#starts += 1;
    const child = spawn(process.execPath, [this.#script, ...this.#args(this.#starts)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    this.#child = child;
    child.stderr.on("data", (chunk) => appendFileSync(this.#logFile, chunk));
    const ended = once(child, "exit").then(() => {
      throw new Error(`${this.#script} ended before it was ready; see ${this.#logFile}`);
    });
    await Promise.race([once(child.stdout, "data"), ended]);
    // From now on its end is no surprise.
    ended.catch(() => undefined);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,stat=,args="], { maxBuffer: 1e8 });
  return stdout.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    // What has ended and waits for its parent to notice is no process any more.
    if (match === null || match[3]?.startsWith("Z")) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), command: match[4] ?? "" }];
  });
}

/** The processes below these, at any depth. */
export async function descendants(roots: readonly number[]): Promise<Process[]> {
  const all = await processes();
  const found: Process[] = [];
  for (let parents = [...roots]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** What a process is known by: the system gives numbers again that have become free. */
export const identityOf = ({ pid, command }: Process): string => `${pid} ${command}`;

/** Those of these processes that are still there. */
export async function stillThere(identities: ReadonlySet<string>): Promise<string[]> {
  return (await processes()).map(identityOf).filter((identity) => identities.has(identity));
}
