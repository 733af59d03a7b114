import type { Tab } from "./tab.ts";

/** Whose tabs they are. */
interface Tabbed {
  politeness: { concurrency: number };
  newTab(): Promise<Tab>;
}

/** Tabs beside the session's own, each opened when it is first needed. */
export interface TabPool {
  /** A tab that is not in use; waits for one where all are. */
  acquire(): Promise<Tab>;
  release(tab: Tab): void;
  /** Starts to open this many tabs, up to the limit, before they are needed. */
  prepare(count: number): void;
}

export function createTabPool(session: Tabbed, holdLayout: boolean): TabPool {
  const { concurrency } = session.politeness;
  const free: Tab[] = [];
  const queue: ((tab: Tab) => void)[] = [];
  const coming: Promise<Tab>[] = [];
  let opened = 0;
  const open = async () => {
    opened += 1;
    const fresh = await session.newTab();
    await fresh.holdLayout(holdLayout);
    return fresh;
  };
  return {
    async acquire() {
      const tab = free.pop() ?? coming.shift();
      if (tab) return tab;
      if (opened >= concurrency) return new Promise((resolve) => queue.push(resolve));
      return open();
    },
    release(tab) {
      const next = queue.shift();
      if (next) next(tab);
      else free.push(tab);
    },
    prepare(count) {
      while (opened < Math.min(count, concurrency)) {
        const tab = open();
        // Whoever takes it gets the error.
        tab.catch(() => {});
        coming.push(tab);
      }
    },
  };
}
