import type { RunWarning } from "../contract/runs/run.ts";
import type { NewEvent, RunEvent } from "../runs/run-event.ts";
import type { Batch } from "../scraping/job.ts";
import { keptOf } from "../store/runs/run-log.ts";

/** Collects events of a run until they are stored in a chunk, which is a separate item of the table. */
export class RunLog {
  readonly #now: () => Date;
  #next: number;
  #events: RunEvent[];

  /**
   * @param first - the number of the next event
   * @param events - earlier events that are in no chunk yet
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

  /** Events that are in no chunk yet. */
  get pending(): readonly RunEvent[] {
    return this.#events;
  }

  add(event: NewEvent): void {
    this.#events = keptOf([...this.#events, { seq: this.#next, at: this.#now().toISOString(), ...event }]);
    this.#next += 1;
  }

  /** Adds the rows of a batch, which took so many ms. The checkpoint after a list is at the step that follows it. */
  addBatch({ rows, list, checkpoint: { url } }: Batch, ms: number): void {
    if (rows.length === 0) return;
    const where = url === undefined ? {} : { url };
    this.add({ code: "rows", step: list ?? null, rows: rows.length, ms, ...where });
  }

  /** Adds the warnings that were not there before. */
  addWarnings(warnings: readonly RunWarning[], before: readonly RunWarning[]): void {
    const nameOf = ({ code, step, field }: RunWarning) => `${code} ${step} ${field}`;
    const known = new Set(before.map(nameOf));
    for (const warning of warnings)
      if (!known.has(nameOf(warning)))
        this.add({ code: "warning", step: warning.step, message: warning.message });
  }

  /** A copy with another event. */
  with(event: NewEvent): RunLog {
    const log = new RunLog(this.#next, this.#now, this.#events);
    log.add(event);
    return log;
  }

  /** Drops the events before the number `next`, which are now in a chunk. */
  stored(next: number): void {
    this.#events = this.#events.filter(({ seq }) => seq >= next);
  }
}
