import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Table } from "../functions/store/table.ts";
import { withService } from "../local/connect.ts";
import { DataFolder } from "../local/data/data-folder.ts";
import packageJson from "../package.json" with { type: "json" };

/** The local service in a process of its own, whose memory can be told from the bench's. */
export interface ServiceProcess {
  url: string;
  apiKey: string;
  pid: number;
  withTable<T>(work: (table: Table) => Promise<T>): Promise<T>;
  /** Resident memory of the service, in MB. */
  memory(): Promise<number>;
  /** Stops the process and keeps its data. */
  stop(): Promise<void>;
}

/** Runs `work` with a folder for the data of services, and removes it. */
export async function withDataFolder<T>(work: (data: string) => Promise<T>): Promise<T> {
  const data = await createDataFolder();
  try {
    return await work(data);
  } finally {
    await removeDataFolder(data);
  }
}

export const createDataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "gleaner-bench-"));
export const removeDataFolder = (data: string): Promise<void> => rm(data, { recursive: true });

/** @param environment the Node.js to start it with, and further environment variables */
export async function startServiceProcess(
  data: string,
  args: string[] = [],
  { node = process.execPath, env = {} }: { node?: string; env?: Record<string, string> } = {},
): Promise<ServiceProcess> {
  const [, ...command] = packageJson.scripts.start.split(" ");
  const child = spawn(node, [...command, "--port", "0", "--data", data, ...args], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new AbortController();
  child.once("exit", (code) => {
    ended.abort(new Error(`The service has ended with status ${code}. \`npm start\` says why.`));
  });
  await once(child.stdout, "data", { signal: ended.signal });
  const folder = new DataFolder(data);
  const [service, credentials] = await Promise.all([folder.readService(), folder.readCredentials()]);
  return {
    url: service?.url ?? "",
    apiKey: credentials?.api_key ?? "",
    pid: child.pid as number,
    withTable: (work) => withService({ data }, work),
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
