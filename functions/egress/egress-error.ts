/**
 * Why a host could not be reached. `blocked_address`: the policy refused it. `upstream_failed`: the upstream proxy failed.
 * `upstream_refused`: the upstream proxy rejected its credentials.
 */
export type EgressErrorCode =
  | "blocked_address"
  | "name_not_found"
  | "connect_failed"
  | "timeout"
  | "limit_exceeded"
  | "upstream_failed"
  | "upstream_refused"
  | "bad_request";

/** The message is for users. It names the host, but never a resolved address or credentials. */
export class EgressError extends Error {
  override name = "EgressError";
  readonly code: EgressErrorCode;

  constructor(code: EgressErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Translates a socket's error. Uses only its code, because the messages of Node.js contain the address, which would reveal
 * what an internal name resolves to.
 */
export function toEgressError(error: unknown, name: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "unknown error";
  if (code === "ETIMEDOUT") return new EgressError("timeout", `${name} did not answer in time`);
  const message = code.startsWith("HPE_")
    ? `${name} does not answer in valid HTTP`
    : `The connection to ${name} failed: ${code}`;
  return new EgressError("connect_failed", message);
}
