/** The waiting and running items of one group. */
interface Group<T> {
  waiting: T[];
  running: number;
  /** The number of the turn in which its last item was started; 0 if none was. */
  lastTurn: number;
}

export interface FairQueueOptions {
  /** How many items are processed at the same time, in total. */
  concurrency: number;
  /** How many items of one group are processed at the same time. */
  perGroup: number;
}

/**
 * Processes items so that no group delays another, as SQS fair queues do on AWS. The next item comes from the group
 * with the fewest running items and, among equals, from the group with the oldest last turn.
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

  /** Starts to process items: the waiting ones, and those added later. `work` must not reject. */
  start(work: (item: T) => Promise<void>): void {
    this.#work = work;
    this.#start();
  }

  add(group: string, item: T): void {
    this.#group(group).waiting.push(item);
    this.#start();
  }

  /** Drops the waiting items, and resolves when no item is running. */
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
