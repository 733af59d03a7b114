/**
 * What can go wrong between us and an outside host; `blocked_address` is the policy's refusal, `upstream_failed` a fault
 * of the proxy that we go through, and `upstream_refused` its refusal of what we know to say.
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

/** Its message is for people: it names the host, never an address that a name resolved to, never credentials. */
export class EgressError extends Error {
  override name = "EgressError";
  readonly code: EgressErrorCode;

  constructor(code: EgressErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Translates a socket's error. Only its code is taken: Node's messages hold the address that was connected to,
 * which would tell outsiders what a name of the inside resolves to.
 */
export function toEgressError(error: unknown, name: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "unknown error";
  return code === "ETIMEDOUT"
    ? new EgressError("timeout", `${name} did not answer in time`)
    : new EgressError("connect_failed", `The connection to ${name} failed: ${code}`);
}
