import { hostName } from "./pace.ts";

/** Pages of one host that load at the same time: more gain little, and would be impolite. */
export const CONCURRENCY = 4;
/** A page that takes no longer than this does not say that its host is overloaded. */
const SLOW_MS = 2_000;

/** What one run knows of a host. */
interface Host {
  /** Pages that may load at the same time. */
  limit: number;
  loading: number;
  /** Pages that have started to load. */
  started: number;
  queue: (() => void)[];
  /** How long the last page took that loaded alone. */
  aloneMs: number;
  /** How long a page took that made the host load one page at a time. */
  slowMs: number | undefined;
}

/** Limits how many pages of one host load at the same time. */
interface LoadSlots {
  /** How many may load at the same time. */
  limit(url: string): number;
  /**
   * Loads a page when there is room for it.
   * @param admit waits until the page may be loaded. Its time does not count: what waits for it has its turn already
   */
  run<T>(url: string, admit: () => Promise<void>, load: () => Promise<T>): Promise<T>;
  /** From now on, the host loads one page at a time. */
  serialize(url: string): void;
}

/**
 * A host that answers pages side by side no sooner than one after the other is overloaded: from then on its pages load
 * one at a time, unless they turn out to be as slow that way.
 * @param concurrency pages of a host that load at the same time at first
 * @param now in ms
 */
export function createLoadSlots(concurrency: number, now = () => performance.now()): LoadSlots {
  const hosts = new Map<string, Host>();
  const hostOf = (url: string): Host => {
    const name = hostName(url);
    const host = hosts.get(name) ?? {
      limit: concurrency,
      loading: 0,
      started: 0,
      queue: [],
      aloneMs: 0,
      slowMs: undefined,
    };
    hosts.set(name, host);
    return host;
  };
  const note = (host: Host, ms: number, wasAlone: boolean) => {
    const isSlow = (slowMs: number) => slowMs > Math.max(SLOW_MS, host.aloneMs * concurrency);
    if (!wasAlone) {
      if (host.limit === 1 || !isSlow(ms)) return;
      host.limit = 1;
      host.slowMs = ms;
      return;
    }
    host.aloneMs = ms;
    if (host.slowMs === undefined || isSlow(host.slowMs)) return;
    host.limit = concurrency;
    host.slowMs = undefined;
  };

  return {
    limit: (url) => hostOf(url).limit,
    async run(url, admit, load) {
      const host = hostOf(url);
      while (host.loading >= host.limit) await new Promise<void>((resolve) => host.queue.push(resolve));
      host.loading += 1;
      host.started += 1;
      const isFirst = host.loading === 1;
      const number = host.started;
      try {
        await admit();
        const begun = now();
        const result = await load();
        note(host, now() - begun, isFirst && host.started === number);
        return result;
      } finally {
        host.loading -= 1;
        for (const resolve of host.queue.splice(0)) resolve();
      }
    },
    serialize(url) {
      const host = hostOf(url);
      host.limit = 1;
      host.slowMs = undefined;
    },
  };
}
