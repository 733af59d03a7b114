/** What waits and what runs of one group. */
interface Group<T> {
  waiting: T[];
  running: number;
  /** When it last had a turn, counted in turns; 0: not since it came. */
  lastTurn: number;
}

export interface FairQueueOptions {
  /** Items in work at a time, of all groups and of one. */
  concurrency: number;
  perGroup: number;
}

/**
 * Works items off so that no group holds up another: the next item is of the group with the fewest in work, and of
 * those the one whose last turn is longest ago. What SQS's fair queues do on AWS.
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

  /** Resolves when fewer than `limit` items wait. */
  async room(limit: number): Promise<void> {
    while (this.#waiting >= limit) await this.#change();
  }

  /** Forgets what waits; resolves when nothing is in work. */
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
