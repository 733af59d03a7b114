import { targetName } from "./address-policy.ts";
import type { EgressError } from "./egress-error.ts";

/** A page can name any number of hosts. */
const REMEMBERED = 1_000;

/** What became of the last attempt to reach each host and port. */
export class Failures {
  readonly #byName = new Map<string, EgressError>();

  /** `null`: it was reached. */
  record(name: string, error: EgressError | null): void {
    this.#byName.delete(name);
    if (error === null) return;
    if (this.#byName.size >= REMEMBERED) this.#byName.delete(this.#byName.keys().next().value as string);
    this.#byName.set(name, error);
  }

  of(address: string): EgressError | undefined {
    const url = URL.parse(address);
    return url ? this.#byName.get(targetName(url)) : undefined;
  }
}
