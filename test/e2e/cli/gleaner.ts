import { PassThrough } from "node:stream";
import { jest } from "@jest/globals";
import { main } from "../../../local/cli.ts";

export interface Said {
  stdout: string;
  stderr: string;
  /** Both, with what was typed: what a person sees at a terminal. */
  transcript: string;
  code: number;
}

/**
 * Runs a command in this process, and tells what it said. `env`: variables of this command alone. `answers`: what
 * somebody at a terminal types, question by question; absent: there is no terminal.
 */
export async function gleaner(
  args: readonly string[],
  env: Record<string, string> = {},
  answers?: readonly string[],
): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  let transcript = "";
  const typed = [...(answers ?? [])];
  const input = Object.assign(new PassThrough(), { isTTY: answers !== undefined });
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") as PropertyDescriptor;
  Object.defineProperty(process, "stdin", { value: input, configurable: true });
  const before = { ...process.env };
  Object.assign(process.env, env);
  const keep = (stream: keyof typeof said) => (text: unknown) => {
    said[stream] += text;
    transcript += text;
    if (!String(text).endsWith("] ")) return true;
    const answer = `${typed.shift()}\n`;
    transcript += answer;
    input.write(answer);
    return true;
  };
  const spies = [
    jest.spyOn(console, "log").mockImplementation((text) => void keep("stdout")(`${text}\n`)),
    jest.spyOn(console, "error").mockImplementation((text) => void keep("stderr")(`${text}\n`)),
    jest.spyOn(process.stderr, "write").mockImplementation(keep("stderr")),
  ];
  process.exitCode = 0;
  try {
    await main(["node", "gleaner", ...args]);
    return { ...said, transcript, code: Number(process.exitCode) };
  } finally {
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
    process.env = before;
    Object.defineProperty(process, "stdin", stdin);
  }
}
