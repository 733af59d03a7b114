import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { onFailure } from "../jest/failure-notes.ts";

/** How a process ended, and all that it said. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type Gleaner = ChildProcess & {
  finished: Promise<Finished>;
  output: { stdout: string; stderr: string };
};

/** The service and its command line as processes of their own, as a person starts them. */
export class CommandLine {
  readonly #children: ChildProcess[] = [];

  gleaner(...args: string[]): Gleaner {
    return this.#spawn("", {}, args);
  }

  /** The same with something on standard input. */
  gleanerWith(input: string, ...args: string[]): Gleaner {
    return this.#spawn(input, {}, args);
  }

  /** The same with an API key. */
  gleanerAs(key: string, ...args: string[]): Gleaner {
    return this.#spawn("", { GLEANER_KEY: key }, args);
  }

  #spawn(input: string, env: Record<string, string>, args: string[]): Gleaner {
    const child = spawn(process.execPath, ["bin/gleaner.js", ...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...env, NODE_OPTIONS: "" },
    });
    this.#children.push(child);
    // A process that reads nothing may be gone before all of it is written.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output.stderr += chunk;
    });
    onFailure(`gleaner ${args.join(" ")}`, () => (output.stdout + output.stderr).slice(-4_000));
    const finished = once(child, "close").then(([code]) => ({ code, ...output }));
    return Object.assign(child, { finished, output });
  }

  /** Starts the service on a free port, and returns when it listens. */
  async start(...args: string[]): Promise<{ child: Gleaner; url: string }> {
    const child = this.gleaner("start", "--port", "0", ...args);
    while (!/listening on http\S+\n[\s\S]*(?:signed in: |console is at )\S+\n/.test(child.output.stdout)) {
      if (child.exitCode !== null) throw new Error((await child.finished).stderr);
      await sleep(20);
    }
    await sleep(50);
    const url = /listening on (\S+)\n/.exec(child.output.stdout)?.[1] ?? "";
    return { child, url };
  }

  /** Kills what still runs of all that was started. */
  async close(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
}
