import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { onFailure } from "../jest/failure-notes.ts";
import type { Finished } from "./command-line.ts";

interface Place {
  cwd: string;
  /** A folder whose programs come first. */
  bin: string;
  env: Record<string, string>;
  /** What is on standard input. */
  input: string;
}

/** Runs commands in a shell until they end. */
export async function run(commands: string, { cwd, bin, env, input }: Place): Promise<Finished> {
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn("sh", ["-c", commands], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: "", ...env, PATH },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  onFailure(commands, () => (output.stdout + output.stderr).slice(-4_000));
  // A command that reads nothing may end before all of it is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, ...output };
}
