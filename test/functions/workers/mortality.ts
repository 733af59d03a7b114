import type { Table } from "../../../functions/store/table.ts";

/* What can go wrong at each single write to the table or to a queue. */

class Died extends Error {}

/** What happens at one of the writes. */
export interface Life {
  /** Whether it has happened. */
  readonly ended: boolean;
  pass<T>(isWrite: boolean, operation: () => Promise<T>): Promise<T>;
}

/** Lets `writes` writes pass; after the last of them the process is dead, and nothing gets through any more. */
export class Dying implements Life {
  #left: number;
  constructor(writes: number) {
    this.#left = writes;
  }
  get ended(): boolean {
    return this.#left <= 0;
  }
  async pass<T>(isWrite: boolean, operation: () => Promise<T>): Promise<T> {
    if (this.ended) throw new Died();
    const result = await operation();
    if (isWrite) this.#left -= 1;
    if (this.ended) throw new Died();
    return result;
  }
}

/** Lets writes pass, except for `failing` of them from one on; those fail before or after they are made. */
export class Faulty implements Life {
  #writes = 0;
  readonly #first: number;
  readonly #failing: number;
  readonly #isMade: boolean;
  constructor(first: number, failing: number, isMade: boolean) {
    this.#first = first;
    this.#failing = failing;
    this.#isMade = isMade;
  }
  get ended(): boolean {
    return this.#writes >= this.#first;
  }
  async pass<T>(isWrite: boolean, operation: () => Promise<T>): Promise<T> {
    if (isWrite) this.#writes += 1;
    const fails = isWrite && this.#writes >= this.#first && this.#writes < this.#first + this.#failing;
    if (fails && !this.#isMade) throw new Error("throttled, after the retries of the SDK");
    const result = await operation();
    if (fails) throw new Error("the connection is dead, after the retries of the SDK");
    return result;
  }
}

/** A table as a process has it that goes through this. */
export const mortal = (table: Table, life: Life): Table => ({
  ...table,
  db: new Proxy(table.db, {
    get: (db, property) =>
      property === "send"
        ? (command: Parameters<typeof db.send>[0]) =>
            life.pass(/Put|Update|Write|Delete/.test(command.constructor.name), () => db.send(command))
        : Reflect.get(db, property),
  }),
});

/** Does some work, whatever goes wrong: a queue delivers its message again, and a client repeats its request. */
export const attempt = async (work: () => Promise<unknown>) => {
  await work().catch(() => undefined);
};
