import type { Session } from "../session.ts";
import type { Tab } from "./tab.ts";

/** Pages that load at the same time: more gain little, and are more than a polite visitor asks for. */
export const SIDE_BY_SIDE = 4;

/** Tabs beside the session's own, each made when it is first needed. */
export interface TabPool {
  /** A tab that nobody uses; waits for one where all are in use. */
  acquire(): Promise<Tab>;
  release(tab: Tab): void;
  /** Begins to make so many tabs, at most as many as there can be, before they are needed. */
  prepare(count: number): void;
}

export function createTabPool(session: Session, holdLayout: boolean): TabPool {
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
      if (opened >= SIDE_BY_SIDE) return new Promise((resolve) => queue.push(resolve));
      return open();
    },
    release(tab) {
      const next = queue.shift();
      if (next) next(tab);
      else free.push(tab);
    },
    prepare(count) {
      while (opened < Math.min(count, SIDE_BY_SIDE)) {
        const tab = open();
        // Whoever takes it sees the error.
        tab.catch(() => {});
        coming.push(tab);
      }
    },
  };
}
