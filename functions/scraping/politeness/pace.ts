import { RunFailure } from "../../runs/failure.ts";
import type { HostTurns } from "../../runs/host-turns.ts";
import type { Budget } from "../budget.ts";
import { POLITE_MS } from "../timing.ts";

/** The host may be visited again only at a time that this execution does not wait for. */
export class HostBusy extends RunFailure {
  /** In ms since the epoch. */
  readonly opensAt: number;

  constructor(host: string, opensAt: number) {
    super(
      "host_busy",
      `${host} may not be visited again before ${new Date(opensAt).toISOString()}: it asked for a pause, or other runs of the account take the turns until then. Run fewer scrapers on it at a time, or lower delay_ms.`,
    );
    this.opensAt = opensAt;
  }
}

export type Pace = ReturnType<typeof createPace>;

/** What one run knows of a host; times are ms since the epoch. */
interface Host {
  name: string;
  lastAt: number;
  opensAt: number;
  /** Until when the account's other runs keep it closed, asked once. */
  asked?: Promise<number>;
  /** Turns that were asked for before, one after another. */
  queue: Promise<void>;
}

/** Spaces the page loads of a run, per host. */
export function createPace(turns: HostTurns | undefined, budget: Budget) {
  const hosts = new Map<string, Host>();
  const hostOf = (url: string): Host => {
    const name = hostName(url);
    const host = hosts.get(name) ?? { name, lastAt: 0, opensAt: 0, queue: Promise.resolve() };
    hosts.set(name, host);
    return host;
  };
  const ask = (host: Host): Promise<number> => {
    host.asked ??= turns ? fromCaller(turns.closedUntil(host.name)) : Promise.resolve(0);
    host.asked.catch(() => {
      // Whoever retries asks again.
      delete host.asked;
    });
    return host.asked;
  };

  const grant = async (host: Host, delayMs: number) => {
    const latest = Date.now() + Math.min(POLITE_MS.longest, budget.remaining());
    const taken = delayMs > 0 && turns ? fromCaller(turns.take(host.name, delayMs, latest)) : ask(host);
    host.opensAt = Math.max(host.opensAt, await taken);
    for (;;) {
      const at = Math.max(host.opensAt, delayMs > 0 ? host.lastAt + delayMs : 0);
      const wait = at - Date.now();
      if (wait <= 0) break;
      if (wait > POLITE_MS.longest || wait >= budget.remaining()) throw new HostBusy(host.name, at);
      await budget.pause(wait);
    }
    host.lastAt = Date.now();
  };

  return {
    /** Resolves when it is the turn of a page, `delayMs` after the host's last. @throws HostBusy */
    turn(url: string, delayMs: number): Promise<void> {
      const host = hostOf(url);
      const turn = host.queue.then(() => grant(host, delayMs));
      host.queue = turn.catch(() => {});
      return turn;
    },
    /** Notes that a page has arrived: the delay counts from here, as the site sees it. */
    arrived(url: string): void {
      hostOf(url).lastAt = Date.now();
    },
    /** Keeps this run and the account's others away from a host for `ms`. */
    async close(url: string, ms: number): Promise<void> {
      const host = hostOf(url);
      host.opensAt = Math.max(host.opensAt, Date.now() + ms);
      if (turns) await fromCaller(turns.close(host.name, host.opensAt));
    },
    /** Whether the host can be visited now. */
    isOpen: (url: string): boolean => hostOf(url).opensAt <= Date.now(),
    /** Starts to find out whether a host is closed, for a page that needs no delay. */
    ask(url: string): void {
      if (URL.canParse(url)) ask(hostOf(url));
    },
  };
}

/** Wraps the answer of the engine's caller. */
const fromCaller = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    throw new RunFailure(
      "internal_error",
      "The service could not look up when the host may be visited. Run the scraper again.",
      { cause, transient: true },
    );
  });

/** A host as its own name, whatever the address wrote; with the port where it is not the usual one. */
export function hostName(address: string): string {
  const { hostname, port } = new URL(address);
  return hostname.replace(/\.$/, "") + (port && `:${port}`);
}

/** What one run knows of a host. */
interface HostLoad {
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

/**
 * Limits how many pages of one host load at the same time. A host that answers pages side by side no sooner than one after
 * the other is overloaded: from then on its pages load one at a time, unless they turn out to be as slow that way.
 * @param concurrency pages of a host that load at the same time at first
 * @param now in ms
 */
export function createLoadSlots(concurrency: number, now = () => performance.now()) {
  const hosts = new Map<string, HostLoad>();
  const hostOf = (url: string): HostLoad => {
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
  const note = (host: HostLoad, ms: number, wasAlone: boolean) => {
    const isSlow = (slowMs: number) => slowMs > Math.max(POLITE_MS.slow, host.aloneMs * concurrency);
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
    /** How many may load at the same time. */
    limit: (url: string): number => hostOf(url).limit,
    /**
     * Loads a page when there is room for it.
     * @param admit waits until the page may be loaded. Its time does not count: what waits for it has its turn already
     */
    async run<T>(url: string, admit: () => Promise<void>, load: () => Promise<T>): Promise<T> {
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
    /** From now on, the host loads one page at a time. */
    serialize(url: string): void {
      const host = hostOf(url);
      host.limit = 1;
      host.slowMs = undefined;
    },
  };
}
