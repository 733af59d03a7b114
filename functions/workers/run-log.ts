import type { NewEvent, RunEvent } from "../runs/run-event.ts";
import { keptOf } from "../store/runs/run-log.ts";

/** The events of a run that are in no chunk of its log yet. */
export class RunLog {
  readonly #now: () => Date;
  #next: number;
  #events: RunEvent[];

  /**
   * @param first - the number of the first event
   * @param events - earlier ones that are in no chunk
   */
  constructor(first: number, now: () => Date, events: readonly RunEvent[] = []) {
    this.#next = first;
    this.#now = now;
    this.#events = [...events];
  }

  /** The number of the next event. */
  get next(): number {
    return this.#next;
  }

  get pending(): readonly RunEvent[] {
    return this.#events;
  }

  add(event: NewEvent): void {
    this.#events = keptOf([...this.#events, { seq: this.#next, at: this.#now().toISOString(), ...event }]);
    this.#next += 1;
  }

  /** Forgets the events before this number, which are in a chunk. */
  stored(next: number): void {
    this.#events = this.#events.filter(({ seq }) => seq >= next);
  }
}
