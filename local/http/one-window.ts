import type { SessionState } from "../../functions/contract/sessions/session.ts";
import type { SignInWindow } from "../../functions/scraping/browser/sign-in-window.ts";
import { WindowClosed } from "../../functions/scraping/browser/window-failed.ts";

/** The session that a window is for. */
interface Owner {
  account: string;
  name: string;
}

/** At most one open window. So the windows of closed tabs of the console don't accumulate. */
export class OneWindow {
  readonly #openWindow: (url: string) => Promise<SignInWindow>;
  #current: (Owner & { window: Promise<SignInWindow> }) | undefined;

  constructor(openWindow: (url: string) => Promise<SignInWindow>) {
    this.#openWindow = openWindow;
  }

  /** Opens a window, and closes the one before. @throws WindowFailed */
  async open(owner: Owner, url: string): Promise<void> {
    const closed = this.close();
    const window = this.#openWindow(url);
    this.#current = { ...owner, window };
    await Promise.all([window, closed]);
  }

  /** What the window for this session has now. @throws WindowFailed, or WindowClosed if there is none */
  async state(owner: Owner): Promise<SessionState> {
    const window = await this.#windowOf(owner);
    if (window === undefined) throw new WindowClosed("The window is not open any more. Open it again.");
    return window.state();
  }

  /** Closes the window for this session, or or without one any window. */
  async close(owner?: Owner): Promise<void> {
    const window = owner === undefined ? this.#current?.window : this.#windowOf(owner);
    if (window !== undefined) this.#current = undefined;
    // One that could not be opened is closed.
    await (await window?.catch(() => undefined))?.close();
  }

  #windowOf({ account, name }: Owner): Promise<SignInWindow> | undefined {
    const isIts = this.#current?.account === account && this.#current.name === name;
    return isIts ? this.#current?.window : undefined;
  }
}
