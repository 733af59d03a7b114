import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A service of the code in a folder, which may be of another version, in a process of its own. */
export interface InstalledService {
  /** A request with the key of the first account: POST if there is a body, or else GET. @throws if it fails */
  call<T>(path: string, body?: object): Promise<T>;
  /** Runs a command of the same version on the service, and returns what it prints. */
  command(...args: string[]): Promise<string>;
  /** Stops it as a supervisor does. Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Starts the service, and resolves when it listens. */
export async function startInstalled(
  folder: string,
  { data, allowHosts }: { data: string; allowHosts: readonly string[] },
): Promise<InstalledService> {
  const env = { ...process.env, NODE_OPTIONS: "" };
  const hosts = allowHosts.flatMap((host) => ["--allow-host", host]);
  const start = ["bin/gleaner.js", "start", "--port", "0", "--data", data, ...hosts];
  const child = spawn(process.execPath, start, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error(`The service of ${folder} has ended.`);
  });
  // Once it listens, its end is no surprise.
  failed.catch(() => undefined);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  while (!/listening on \S+\n[\s\S]*console/.test(output))
    await Promise.race([once(child.stdout, "data"), failed]);
  const [, url = ""] = /listening on (\S+)\n/.exec(output) ?? [];
  const { api_key } = JSON.parse(await readFile(join(data, "credentials.json"), "utf8"));
  return {
    async call<T>(path: string, body?: object): Promise<T> {
      const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
      const response = await fetch(url + path, {
        headers,
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    async command(...args) {
      const line = ["bin/gleaner.js", ...args, "--data", data];
      return (await promisify(execFile)(process.execPath, line, { cwd: folder, env })).stdout;
    },
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await ended;
    },
  };
}
