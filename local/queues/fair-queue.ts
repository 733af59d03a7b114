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
  #work: ((item: T) => Promise<void>) | undefined;
  #running = 0;
  #turns = 0;
  #changed: (() => void)[] = [];

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Processes the items that wait, and all that come. `work` handles its errors. */
  start(work: (item: T) => Promise<void>): void {
    this.#work = work;
    this.#start();
  }

  add(group: string, item: T): void {
    this.#group(group).waiting.push(item);
    this.#start();
  }

  /** Drops the waiting items; resolves when no item is running. */
  async drain(): Promise<void> {
    for (const group of this.#groups.values()) group.waiting = [];
    while (this.#running > 0) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  #group(name: string): Group<T> {
    const group = this.#groups.get(name) ?? { waiting: [], running: 0, lastTurn: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #start(): void {
    const work = this.#work;
    while (work !== undefined && this.#running < this.#options.concurrency) {
      const next = this.#next();
      if (next === undefined) return;
      const [name, group] = next;
      const item = group.waiting.shift() as T;
      this.#turns += 1;
      group.lastTurn = this.#turns;
      group.running += 1;
      this.#running += 1;
      work(item).finally(() => {
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
}
