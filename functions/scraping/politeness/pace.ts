import { RunFailure } from "../../runs/failure.ts";
import type { HostTurns } from "../../runs/host-turns.ts";
import type { Budget } from "../budget.ts";

/** A wait that is longer is left to a later execution: an executor is not paid for minutes of waiting. */
const LONGEST_WAIT_MS = 60_000;

/** A page may be loaded at a time for which this execution does not wait. */
export class NotYet extends RunFailure {
  /** In ms since the epoch. */
  readonly opensAt: number;

  constructor(host: string, opensAt: number) {
    super(
      "host_busy",
      `${host} may not be asked for another page before ${new Date(opensAt).toISOString()}: it wants a pause, or other runs of the account have the turns until then. Have fewer runs on it at a time, or lower delay_ms.`,
    );
    this.opensAt = opensAt;
  }
}

/** Keeps the page loads of a run apart, host by host. */
export interface Pace {
  /** Resolves when it is the turn of a page, `delayMs` after the host's last. @throws NotYet */
  turn(url: string, delayMs: number): Promise<void>;
  /** Notes that a page has come: the delay counts from here, as a site sees it. */
  arrived(url: string): void;
  /** Has this run, and the account's others, leave a host alone for `ms`. */
  close(url: string, ms: number): Promise<void>;
  /** Whether nobody waits for the host's turns. */
  isOpen(url: string): boolean;
  /** Begins to find out whether a host is closed, for a page that needs no delay. */
  ask(url: string): void;
}

/** How one run stands with a host; times are ms since the epoch. */
interface Host {
  name: string;
  lastAt: number;
  opensAt: number;
  /** What the account's other runs say, asked once. */
  asked?: Promise<number>;
  /** The turns that were asked for before, one after the other. */
  queue: Promise<void>;
}

export function createPace(turns: HostTurns | undefined, budget: Budget): Pace {
  const hosts = new Map<string, Host>();
  const hostOf = (url: string): Host => {
    const name = hostName(url);
    const host = hosts.get(name) ?? { name, lastAt: 0, opensAt: 0, queue: Promise.resolve() };
    hosts.set(name, host);
    return host;
  };
  const ask = (host: Host): Promise<number> => {
    host.asked ??= turns ? told(turns.closedUntil(host.name)) : Promise.resolve(0);
    host.asked.catch(() => {
      // Asked again by who tries again.
      delete host.asked;
    });
    return host.asked;
  };

  const grant = async (host: Host, delayMs: number) => {
    const latest = Date.now() + Math.min(LONGEST_WAIT_MS, budget.remaining());
    const taken = delayMs > 0 && turns ? told(turns.take(host.name, delayMs, latest)) : ask(host);
    host.opensAt = Math.max(host.opensAt, await taken);
    for (;;) {
      const at = Math.max(host.opensAt, delayMs > 0 ? host.lastAt + delayMs : 0);
      const wait = at - Date.now();
      if (wait <= 0) break;
      if (wait > LONGEST_WAIT_MS || wait >= budget.remaining()) throw new NotYet(host.name, at);
      await budget.pause(wait);
    }
    host.lastAt = Date.now();
  };

  return {
    turn(url, delayMs) {
      const host = hostOf(url);
      const turn = host.queue.then(() => grant(host, delayMs));
      host.queue = turn.catch(() => {});
      return turn;
    },
    arrived(url) {
      hostOf(url).lastAt = Date.now();
    },
    async close(url, ms) {
      const host = hostOf(url);
      host.opensAt = Math.max(host.opensAt, Date.now() + ms);
      if (turns) await told(turns.close(host.name, host.opensAt));
    },
    isOpen: (url) => hostOf(url).opensAt <= Date.now(),
    ask(url) {
      if (URL.canParse(url)) ask(hostOf(url));
    },
  };
}

/** What the caller of the engine says of a host. */
const told = <T>(answer: Promise<T>): Promise<T> =>
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
