/** The waiting and running items of one group. */
interface Group<T> {
  waiting: T[];
  running: number;
  /** The number of its last turn; 0: it has had none. */
  lastTurn: number;
}

export interface FairQueueOptions {
  /** Items processed at a time, of all groups together and of one group. */
  concurrency: number;
  perGroup: number;
}

/**
 * Processes items so that no group delays another, as SQS fair queues do on AWS. The next item comes from the group with
 * the fewest running items and, among equals, from the group with the oldest last turn.
 */
export class FairQueue<T> {
  readonly #groups = new Map<string, Group<T>>();
  readonly #options: FairQueueOptions;
  readonly #work: (item: T) => Promise<void>;
  #running = 0;
  #waiting = 0;
  #turns = 0;
  #changed: (() => void)[] = [];

  constructor(options: FairQueueOptions, work: (item: T) => Promise<void>) {
    this.#options = options;
    this.#work = work;
  }

  get waiting(): number {
    return this.#waiting;
  }

  add(group: string, item: T): void {
    const { waiting } = this.#group(group);
    waiting.push(item);
    this.#waiting += 1;
    this.#start();
  }

  /** Resolves when fewer than `limit` items are waiting. */
  async room(limit: number): Promise<void> {
    while (this.#waiting >= limit) await this.#change();
  }

  /** Drops the waiting items; resolves when no item is running. */
  async drain(): Promise<void> {
    for (const group of this.#groups.values()) group.waiting = [];
    this.#waiting = 0;
    while (this.#running > 0) await this.#change();
  }

  #group(name: string): Group<T> {
    const group = this.#groups.get(name) ?? { waiting: [], running: 0, lastTurn: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #start(): void {
    while (this.#running < this.#options.concurrency) {
      const next = this.#next();
      if (next === undefined) return;
      const [name, group] = next;
      const item = group.waiting.shift() as T;
      this.#turns += 1;
      group.lastTurn = this.#turns;
      group.running += 1;
      this.#running += 1;
      this.#waiting -= 1;
      this.#work(item).finally(() => {
        group.running -= 1;
        this.#running -= 1;
        if (group.running === 0 && group.waiting.length === 0) this.#groups.delete(name);
        for (const changed of this.#changed.splice(0)) changed();
        this.#start();
      });
    }
  }

  #next(): [string, Group<T>] | undefined {
    let best: [string, Group<T>] | undefined;
    for (const [name, group] of this.#groups) {
      if (group.waiting.length === 0 || group.running >= this.#options.perGroup) continue;
      const ahead = best && (group.running - best[1].running || group.lastTurn - best[1].lastTurn);
      if (ahead === undefined || ahead < 0) best = [name, group];
    }
    return best;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.push(resolve);
    });
  }
}
