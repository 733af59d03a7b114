import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./data-folder.ts";

/**
 * What somebody types at the terminal, unseen, or else all of standard input without the line break at its end. Never
 * an argument: those stand in the shell's history and in the list of processes.
 * @throws UsageError when it is empty, or the person gives up
 */
export async function readHidden(prompt: string): Promise<string> {
  const value = process.stdin.isTTY ? await ask(prompt) : (await text(process.stdin)).replace(/\r?\n$/, "");
  if (value === "") throw new UsageError("No value was given. Type it, or pipe it in.");
  return value;
}

async function ask(prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(prompt);
  try {
    // Ctrl-C and Ctrl-D end the question.
    return await terminal.question("").catch((cause) => {
      throw new UsageError("Nothing was set.", { cause });
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
