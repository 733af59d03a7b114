import { BROWSERS } from "../limits.ts";
import { BROWSER_MS } from "../timing.ts";
import type { LeasedBrowser } from "./leased-browser.ts";

/** Whose next run a browser is for. */
export interface Purpose {
  /** The account that alone may take it; undefined: it has served nobody. */
  account?: string | undefined;
  /** A browser is started with images or without. */
  loadImages?: boolean | undefined;
}

interface Spare extends Purpose {
  leased: Promise<LeasedBrowser>;
  timer?: NodeJS.Timeout;
}

/** Browsers that are ready for a run. */
export class SpareBrowsers {
  readonly #spares = new Set<Spare>();
  readonly #dropping = new Set<Promise<void>>();

  get isEmpty(): boolean {
    return this.#spares.size === 0;
  }

  /** Keeps a browser. One that dies, or does not start, is not kept. */
  add(leased: Promise<LeasedBrowser>, { account, loadImages = false }: Purpose = {}): void {
    const spare: Spare = { account, loadImages, leased };
    this.#spares.add(spare);
    const [oldest] = this.#spares;
    if (oldest && this.#spares.size > BROWSERS.spares) this.#drop(oldest);
    if (account !== undefined) {
      spare.timer = setTimeout(() => this.#drop(spare), BROWSER_MS.spare);
      spare.timer.unref();
    }
    leased.then(
      ({ browser }) => browser.on("disconnected", () => this.#drop(spare)),
      () => this.#drop(spare),
    );
  }

  /** One for a run of this account, if there is one. */
  take({ account, loadImages = false }: Purpose): Promise<LeasedBrowser> | undefined {
    const spares = [...this.#spares].filter((spare) => spare.loadImages === loadImages);
    const own = account === undefined ? undefined : spares.find((spare) => spare.account === account);
    const spare = own ?? spares.find((each) => each.account === undefined);
    if (spare) this.#remove(spare);
    return spare?.leased;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    for (const spare of this.#spares) this.#drop(spare);
    await Promise.all(this.#dropping);
  }

  #remove(spare: Spare): boolean {
    clearTimeout(spare.timer);
    return this.#spares.delete(spare);
  }

  /** Ends a browser that nobody has taken. */
  #drop(spare: Spare): void {
    if (!this.#remove(spare)) return;
    const closing = spare.leased.then((leased) => leased.close()).catch(() => {});
    this.#dropping.add(closing);
    closing.finally(() => this.#dropping.delete(closing));
  }
}
