import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { BrowserClock, Sequence } from "../page/clock.ts";

/** The size of a page, in pixels. */
export const PAGE_SIZE = { width: 1_366, height: 900 } as const;

export interface OpenedPage {
  page: Page;
  /** Whether the engine draws its frames; otherwise, the browser does. */
  draws: boolean;
}

type BrowserState = ReturnType<typeof noteBrowser>;

const states = new WeakMap<Browser, BrowserState>();

export const stateOf = (browser: Browser): BrowserState => states.get(browser) ?? noteBrowser(browser);

/**
 * What is known of a browser process, and what may happen only once at a time in it.
 * @param sharesTime whether all its pages share its process, and with it their time
 */
export function noteBrowser(browser: Browser, sharesTime = false) {
  const state = {
    /** Whether the engine can draw frames; undefined until that was tried. An installed Chrome does not let it. */
    canDraw: undefined as boolean | undefined,
    clock: new BrowserClock(sharesTime),
    /** Opens contexts: a new one is only known while no other one is opened. */
    opening: new Sequence(),
  };
  states.set(browser, state);
  return state;
}

/** Opens the pages of a context, with frames that the engine draws, where the browser lets it. */
export class PageOpener {
  readonly context: BrowserContext;
  readonly #contextId: string;
  readonly #root: CDPSession;
  readonly #state: BrowserState;
  readonly #turns = new Sequence();

  private constructor(context: BrowserContext, contextId: string, root: CDPSession, state: BrowserState) {
    this.context = context;
    this.#contextId = contextId;
    this.#root = root;
    this.#state = state;
  }

  /** Opens a context, and returns what opens its pages. */
  static async of(browser: Browser, newContext: () => Promise<BrowserContext>): Promise<PageOpener> {
    const state = stateOf(browser);
    const root = await browser.newBrowserCDPSession();
    const contextIds = async () => (await root.send("Target.getBrowserContexts")).browserContextIds;
    return state.opening.run(async () => {
      const before = new Set(await contextIds());
      const context = await newContext();
      const contextId = (await contextIds()).find((id) => !before.has(id)) as string;
      return new PageOpener(context, contextId, root, state);
    });
  }

  /** Opens an empty page. One after another: the next empty page is the one that was asked for. */
  open(): Promise<OpenedPage> {
    return this.#turns.run(async () => {
      if (this.#state.canDraw !== false) {
        const page = await this.#openDrawn();
        this.#state.canDraw ??= await this.#canDraw(page);
        if (this.#state.canDraw) return { page, draws: true };
        await page.close();
      }
      const page = await this.context.newPage();
      await page.setViewportSize(PAGE_SIZE);
      return { page, draws: false };
    });
  }

  async #openDrawn(): Promise<Page> {
    const opened = this.context.waitForEvent("page", (page) => /^(about:blank|:?)$/.test(page.url()));
    opened.catch(() => {});
    await this.#root.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: this.#contextId,
      enableBeginFrameControl: true,
      ...PAGE_SIZE,
    });
    return opened;
  }

  async #canDraw(page: Page): Promise<boolean> {
    const cdp = await this.context.newCDPSession(page);
    const draw = () => cdp.send("HeadlessExperimental.beginFrame", { noDisplayUpdates: true });
    const canDraw = await this.#state.clock.drawing.run(draw).then(
      () => true,
      () => false,
    );
    await cdp.detach();
    return canDraw;
  }
}
