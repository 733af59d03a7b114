import type { Socket } from "node:net";
import { EgressError } from "../egress-error.ts";

/** The limits of one run's traffic. A tunnel counts as one request, because its content is encrypted. */
export interface EgressLimits {
  /** The body of one response. */
  responseBytes: number;
  /** All that is sent and received, with headers. */
  runBytes: number;
  requests: number;
  /** For a lookup and for opening a connection. */
  connectMs: number;
  /** The longest time without a byte in either direction, and from a request to the headers of its final response. */
  idleMs: number;
}

export const DEFAULT_LIMITS: EgressLimits = {
  responseBytes: 256 * 1024 * 1024,
  runBytes: 8 * 1024 * 1024 * 1024,
  requests: 1_000_000,
  connectMs: 10_000,
  idleMs: 60_000,
};

/** Counts a run's traffic; its methods throw EgressError `limit_exceeded`. */
export class Meter {
  readonly #limits: EgressLimits;
  readonly #onExceeded: (reason: string) => void;
  #isOver = false;
  /** What each connection had carried when it was last counted. */
  readonly #carried = new WeakMap<Socket, number>();
  #requests = 0;
  #bytes = 0;
  #exceeded: string | null = null;

  /** @param onExceeded called once, when the run exceeds a limit for all of it */
  constructor(limits: EgressLimits, onExceeded: (reason: string) => void) {
    this.#limits = limits;
    this.#onExceeded = onExceeded;
  }

  /** The exceeded limit of the run, or else the first response that was too large. */
  get exceeded(): string | null {
    return this.#exceeded;
  }

  countRequest(): void {
    this.#requests++;
    if (this.#requests > this.#limits.requests) {
      this.#exceed(`The run made more than ${this.#limits.requests} requests`);
    }
    this.#countBytes(0);
  }

  /** Counts what a connection to the outside has sent and received since the last call. */
  countConnection(outside: Socket): void {
    const carried = outside.bytesRead + outside.bytesWritten;
    const before = this.#carried.get(outside) ?? 0;
    this.#carried.set(outside, carried);
    this.#countBytes(carried - before);
  }

  /** A counter for one response of `name`, to be called with the size of each chunk. */
  response(name: string): (bytes: number) => void {
    let total = 0;
    return (bytes) => {
      total += bytes;
      if (total <= this.#limits.responseBytes) return;
      const reason = `A response of ${name} is larger than ${megabytes(this.#limits.responseBytes)}`;
      this.#exceeded ??= reason;
      throw new EgressError("limit_exceeded", reason);
    };
  }

  #countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.runBytes) {
      this.#exceed(`The run sent and received more than ${megabytes(this.#limits.runBytes)}`);
    }
  }

  #exceed(reason: string): never {
    this.#exceeded = reason;
    if (!this.#isOver) this.#onExceeded(reason);
    this.#isOver = true;
    throw new EgressError("limit_exceeded", reason);
  }
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toPrecision(3))} MB`;
}
