import { EgressError } from "./egress-error.ts";

/** The bounds of one run's traffic. In a tunnel single requests can't be seen: a tunnel counts as one request. */
export interface EgressLimits {
  responseBytes: number;
  runBytes: number;
  requests: number;
  /** From the look-up of a name to an open connection. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
}

export const DEFAULT_LIMITS: EgressLimits = {
  responseBytes: 256 * 1024 * 1024,
  runBytes: 8 * 1024 * 1024 * 1024,
  requests: 1_000_000,
  connectMs: 10_000,
  idleMs: 60_000,
};

/** Counts a run's traffic. Every method throws `limit_exceeded` when the run is over. */
export class Meter {
  readonly #limits: EgressLimits;
  #requests = 0;
  #bytes = 0;
  exceeded: string | null = null;

  constructor(limits: EgressLimits) {
    this.#limits = limits;
  }

  countRequest(): void {
    if (++this.#requests > this.#limits.requests) {
      this.#exceed(`The run made more than ${this.#limits.requests} requests`);
    }
    if (this.#bytes > this.#limits.runBytes) this.#exceedRun();
  }

  /** A counter for one response of `name`, to be called with the size of each chunk. */
  response(name: string): (bytes: number) => void {
    let total = 0;
    return (bytes) => {
      total += bytes;
      if (total > this.#limits.responseBytes) {
        this.#exceed(`A response of ${name} is larger than ${megabytes(this.#limits.responseBytes)}`);
      }
      this.countBytes(bytes);
    };
  }

  countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.runBytes) this.#exceedRun();
  }

  #exceedRun(): never {
    this.#exceed(`The run loaded more than ${megabytes(this.#limits.runBytes)}`);
  }

  #exceed(reason: string): never {
    this.exceeded ??= reason;
    throw new EgressError("limit_exceeded", reason);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
}
