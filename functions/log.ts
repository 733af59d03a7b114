/** The log of the service. Each call writes one structured entry, redacted by the implementation (see redact.ts). */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
