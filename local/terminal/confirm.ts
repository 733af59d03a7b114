import { createInterface } from "node:readline/promises";
import { CommandError, EXIT, wrongUse } from "../command-error.ts";
import { printable } from "./print.ts";

/**
 * Asks before something that can't be undone.
 * @throws CommandError if the answer is no, or there is nobody to ask
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw wrongUse(`${question} There is no terminal to answer on. Add --yes to confirm.`);
  if (!/^y(es)?$/i.test(await ask(`${question} [y/N] `))) {
    throw new CommandError(EXIT.failed, "Nothing was changed.");
  }
}

/** A line from the terminal. @throws CommandError on Ctrl-C and Ctrl-D */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (
      await terminal.question(printable(question)).catch((cause) => {
        throw new CommandError(EXIT.interrupted, "Nothing was changed.", { cause });
      })
    ).trim();
  } finally {
    terminal.close();
  }
}
