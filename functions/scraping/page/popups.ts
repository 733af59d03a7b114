import type { BrowserContext, Page } from "playwright-core";
import type { Budget } from "../budget.ts";
import { NAVIGATION_MS } from "./readiness.ts";
import type { Tab } from "./tab.ts";

/** Windows that one action may open; a page that opens more of them has no good reason to. */
const MAX_POPUPS = 20;
/** Longest wait for a new window to show a document. */
const SHOWN_MS = 5_000;

/** The tabs and windows that a run's pages open by themselves. */
export class Popups {
  readonly #context: BrowserContext;
  readonly #pages: Page[] = [];
  #isOpeningOwn = 0;

  /** Whether a step is at work: a window that opens at any other time is closed. */
  isExpected = false;

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on("page", (page) => {
      if (this.#isOpeningOwn > 0) return;
      if (this.isExpected && this.#pages.length < MAX_POPUPS) this.#pages.push(page);
      else page.close().catch(() => {});
    });
  }

  /** A new page of our own, which is no popup. */
  async newPage(): Promise<Page> {
    this.#isOpeningOwn += 1;
    try {
      return await this.#context.newPage();
    } finally {
      this.#isOpeningOwn -= 1;
    }
  }

  /** The last window that an action in the tab opened, once it shows a document. */
  async opened(tab: Tab, budget: Budget): Promise<Page | undefined> {
    if (tab.takeOpened() > 0 && this.#pages.length === 0) {
      // The browser reports a window once its server answers.
      await this.#context.waitForEvent("page", { timeout: budget.cut(NAVIGATION_MS) }).catch(() => {});
    }
    // One that has no address got a file instead of a document.
    const popup = this.#pages.splice(0).findLast((page) => !page.isClosed() && page.url() !== "");
    await popup
      ?.waitForURL((url) => url.href !== "about:blank", {
        timeout: budget.cut(SHOWN_MS),
        waitUntil: "commit",
      })
      .catch(() => {});
    return popup;
  }
}
