import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, EXIT } from "../command-error.ts";
import { UsageError } from "../data/data-folder.ts";

/**
 * Reads a secret: a line from the terminal, which does not show it, or else all of standard input without its final
 * line break. Secrets are never command-line arguments, because the shell's history and the process list show those.
 * @throws UsageError if the value is empty or the user cancels
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
    // Ctrl-C and Ctrl-D cancel the question.
    return await terminal.question("").catch((cause) => {
      throw new CommandError(EXIT.interrupted, "Nothing was set.", { cause });
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
