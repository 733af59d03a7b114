/** Where the service writes what happened: one structured entry a call, which the writer redacts (see redact.ts). */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
