import { UsageError } from "./data/data-folder.ts";

/** Exit codes of the command line. */
export const EXIT = {
  ok: 0,
  /** The operation failed: a run failed, a definition has problems, or files differ. */
  failed: 1,
  wrongUse: 2,
  notSignedIn: 3,
  notFound: 4,
  notReached: 5,
  /** The rate limit is reached, or no credits are left. */
  limit: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A problem that the user can solve. Its exit code tells scripts the kind of problem. */
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
