import { UsageError } from "./data-folder.ts";

/** Exit codes of the command line. */
export const EXIT = {
  ok: 0,
  /** What was asked for failed: a run, a definition, a comparison. */
  failed: 1,
  wrongUse: 2,
  notSignedIn: 3,
  notFound: 4,
  notReached: 5,
  /** The rate limit, or no credits left. */
  limit: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A problem that the user can solve, with the exit code that tells scripts which kind it is. */
export class CommandError extends UsageError {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const wrongUse = (message: string) => new CommandError(EXIT.wrongUse, message);

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof CommandError ? error.exitCode : EXIT.failed;
