import { createInterface } from "node:readline/promises";
import { CommandError, EXIT, wrongUse } from "../command-error.ts";
import { printable } from "./print.ts";

/**
 * Asks the user for a confirmation, unless `yes` is true.
 * @throws CommandError if the answer is not yes, or there is no terminal
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw wrongUse(`${question} There is no terminal to answer on. Add --yes to confirm.`);
  if (!/^y(es)?$/i.test(await ask(`${question} [y/N] `))) {
    throw new CommandError(EXIT.failed, "Nothing was changed.");
  }
}

/** Asks a question, and returns the line that the user enters. @throws CommandError on Ctrl-C and Ctrl-D */
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
