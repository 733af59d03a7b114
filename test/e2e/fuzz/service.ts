import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Table } from "../../../functions/store/table.ts";
import { withService } from "../../../local/connect.ts";

/** Bytes after a collection. */
export interface Memory {
  heap: number;
  /** Buffers, and what native code holds. */
  external: number;
  rss: number;
}

/** The service in a process of its own. */
export interface FuzzedService {
  url: string;
  pid: number;
  /** Errors that it logged. */
  logged: string[];
  /** False when the process has ended. */
  isAlive(): boolean;
  memory(): Promise<Memory>;
  withTable<T>(work: (table: Table) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

type Told = { url?: string; logged?: string; memory?: Memory };

export async function startFuzzedService(): Promise<FuzzedService> {
  const data = await mkdtemp(join(tmpdir(), "gleaner-fuzz-"));
  const script = fileURLToPath(new URL("service-process.ts", import.meta.url));
  const child = fork(script, [data], {
    execArgv: ["--expose-gc"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const logged: string[] = [];
  child.on("message", ({ logged: line }: Told) => {
    if (line !== undefined) logged.push(line);
  });
  const told = async <K extends keyof Told>(key: K): Promise<NonNullable<Told[K]>> => {
    for (;;) {
      const [message] = (await once(child, "message")) as [Told];
      if (message[key] !== undefined) return message[key] as NonNullable<Told[K]>;
    }
  };
  const url = await told("url");
  return {
    url,
    pid: child.pid ?? 0,
    logged,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    memory() {
      child.send("memory");
      return told("memory");
    },
    withTable: (work) => withService({ data }, work),
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(data, { recursive: true });
    },
  };
}
