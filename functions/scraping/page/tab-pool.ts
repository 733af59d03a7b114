import type { Tab } from "./tab.ts";

/** Whose tabs they are. */
interface Tabbed {
  politeness: { concurrency: number };
  /** The session's own. */
  tab: Tab;
  newTab(): Promise<Tab>;
}

export type TabPool = ReturnType<typeof createTabPool>;

/** Tabs beside the session's own, each opened when it is first needed. */
export function createTabPool(session: Tabbed, holdLayout: boolean) {
  const { concurrency } = session.politeness;
  const tabs = new Set<Tab>();
  const free: Tab[] = [];
  const queue: PromiseWithResolvers<Tab>[] = [];
  let opened = 0;
  let isClosed = false;
  const discard = (tab: Tab) => {
    if (tab !== session.tab) tab.close();
  };
  const open = async () => {
    opened += 1;
    const tab = await session.newTab();
    tabs.add(tab);
    if (isClosed) discard(tab);
    await tab.holdLayout(holdLayout);
    return tab;
  };
  return {
    /** A tab that is not in use; waits for one where all are. */
    async acquire(): Promise<Tab> {
      if (isClosed) throw closed();
      const tab = free.pop();
      if (tab) return tab;
      if (opened < concurrency) return open();
      const place = Promise.withResolvers<Tab>();
      queue.push(place);
      return place.promise;
    },
    release(tab: Tab): void {
      tabs.add(tab);
      const next = queue.shift();
      if (next) next.resolve(tab);
      else if (isClosed) discard(tab);
      else free.push(tab);
    },
    /** Closes all tabs, also those in use. The session's own stays. */
    close(): void {
      isClosed = true;
      for (const place of queue.splice(0)) place.reject(closed());
      for (const tab of tabs) discard(tab);
    },
  };
}

const closed = () => new Error("The list has ended.");
