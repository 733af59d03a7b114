import type { LogEvent } from "../contract/run-log.ts";
import { keptOf } from "../store/run-log.ts";

/** The events of one attempt at a run that are not stored yet. */
export class RunLog {
  readonly #now: () => Date;
  #next: number;
  #events: LogEvent[] = [];

  /** @param first - the number of the first event */
  constructor(first: number, now: () => Date) {
    this.#next = first;
    this.#now = now;
  }

  /** The number of the next event. */
  get next(): number {
    return this.#next;
  }

  get pending(): readonly LogEvent[] {
    return this.#events;
  }

  add(event: Omit<LogEvent, "seq" | "at">): void {
    this.#events = keptOf([...this.#events, { seq: this.#next, at: this.#now().toISOString(), ...event }]);
    this.#next += 1;
  }

  /** Forgets the events before this number, which are stored. */
  stored(next: number): void {
    this.#events = this.#events.filter(({ seq }) => seq >= next);
  }
}
