/** The waiting and running items of one group. */
interface Group<T> {
  waiting: T[];
  running: number;
  /** The number of the turn in which its last item was started; 0 if none was. */
  lastTurn: number;
}

/**
 * Processes items so that no group delays another, as SQS fair queues do on AWS. The next item comes from the group
 * with the fewest running items and, among equals, from the group with the oldest last turn.
 *
 * A running item can't be interrupted, so a group starts another one only while it has fewer than there are free slots.
 * It never has more than half of them (rounded up), two groups never have more than three quarters, and so on. So there
 * is a slot for a group that comes later, however long the items of the others take.
 */
export class FairQueue<T> {
  readonly #groups = new Map<string, Group<T>>();
  readonly #concurrency: number;
  #work: ((item: T) => Promise<void>) | undefined;
  #running = 0;
  #turns = 0;
  #changed: (() => void)[] = [];

  /** @param concurrency how many items are processed at the same time, in total */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** How many items are processed now. */
  get running(): number {
    return this.#running;
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

  /** Removes an item. Returns false if it is not waiting: it was started, or dropped. */
  remove(group: string, item: T): boolean {
    const { waiting } = this.#group(group);
    const place = waiting.indexOf(item);
    if (place !== -1) waiting.splice(place, 1);
    this.#forgetIfIdle(group);
    return place !== -1;
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

  #forgetIfIdle(name: string): void {
    const group = this.#groups.get(name);
    if (group?.running === 0 && group.waiting.length === 0) this.#groups.delete(name);
  }

  #start(): void {
    const work = this.#work;
    for (let next = this.#next(); work !== undefined && next !== undefined; next = this.#next()) {
      const [name, group] = next;
      const item = group.waiting.shift() as T;
      this.#turns += 1;
      group.lastTurn = this.#turns;
      group.running += 1;
      this.#running += 1;
      work(item).finally(() => {
        group.running -= 1;
        this.#running -= 1;
        this.#forgetIfIdle(name);
        for (const changed of this.#changed.splice(0)) changed();
        this.#start();
      });
    }
  }

  #next(): [string, Group<T>] | undefined {
    const free = this.#concurrency - this.#running;
    let best: [string, Group<T>] | undefined;
    for (const [name, group] of this.#groups) {
      if (group.waiting.length === 0 || group.running >= free) continue;
      const ahead = best && (group.running - best[1].running || group.lastTurn - best[1].lastTurn);
      if (ahead === undefined || ahead < 0) best = [name, group];
    }
    return best;
  }
}
