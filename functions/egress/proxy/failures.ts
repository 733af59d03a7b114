import type { EgressError } from "../egress-error.ts";
import { targetName } from "../policy/address-policy.ts";

/** A limit, because a page can use any number of hosts. */
const MAX_HOSTS = 1_000;

/** The failures of the last attempts to reach each host and port. */
export class Failures {
  readonly #byName = new Map<string, EgressError>();

  /** Records an outcome; `null`: success. */
  record(name: string, error: EgressError | null): void {
    this.#byName.delete(name);
    if (error === null) return;
    if (this.#byName.size >= MAX_HOSTS) this.#byName.delete(this.#byName.keys().next().value as string);
    this.#byName.set(name, error);
  }

  of(address: string): EgressError | undefined {
    const url = URL.parse(address);
    return url ? this.#byName.get(targetName(url)) : undefined;
  }
}
