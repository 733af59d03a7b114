import type { BrowserContext, Dialog, Page, Request } from "playwright-core";
import type { OpenedPage, PageOpener } from "../browser/page-opener.ts";
import type { Budget } from "../budget.ts";
import { KEPT, QUOTED } from "../limits.ts";
import { NAVIGATION_MS, POPUP_MS } from "../timing.ts";
import { closePage } from "./close-page.ts";
import type { Tab } from "./tab.ts";

/** Errors after which a new window shows nothing: its answer is no document, or the engine has refused its request. */
const UNDELIVERED = new Set(["net::ERR_ABORTED", "net::ERR_BLOCKED_BY_CLIENT"]);

/** The tabs and windows that a run's pages open by themselves. */
export class Popups {
  readonly #opener: PageOpener;
  readonly #pages: Page[] = [];
  #isOpeningOwn = 0;
  /** Windows whose address turned out to be no document. */
  #undelivered = 0;

  /** Whether an action is in progress: a window that opens at any other time is closed. */
  #isExpected = false;

  constructor(context: BrowserContext, opener: PageOpener) {
    this.#opener = opener;
    context.on("page", (page) => {
      if (this.#isOpeningOwn > 0) return;
      if (this.#isExpected && this.#pages.length < KEPT.popups) this.#pages.push(page);
      else closePage(page);
    });
    context.on("requestfailed", (request) => {
      if (isUndelivered(request)) this.#undelivered += 1;
    });
  }

  /** An action begins: windows that open from now on are its own. */
  expect(): void {
    this.#isExpected = true;
    for (const page of this.#pages.splice(0)) closePage(page);
    this.#undelivered = 0;
  }

  endExpecting(): void {
    this.#isExpected = false;
  }

  /** A new page of our own, which is no popup. */
  async newPage(): Promise<OpenedPage> {
    this.#isOpeningOwn += 1;
    try {
      return await this.#opener.open();
    } finally {
      this.#isOpeningOwn -= 1;
    }
  }

  /** The last window that an action in the tab opened, once it shows a document. */
  async opened(tab: Tab, budget: Budget): Promise<Page | undefined> {
    // The browser reports a window once its server answers.
    if (tab.takeOpened() > 0)
      await this.#until(() => this.#pages.length > 0 || this.#undelivered > 0, budget);
    // One that has no address got a file instead of a document.
    const popup = this.#pages.splice(0).findLast((page) => !page.isClosed() && page.url() !== "");
    await popup
      ?.waitForURL((url) => url.href !== "about:blank", {
        timeout: budget.cut(POPUP_MS.shown),
        waitUntil: "commit",
      })
      .catch(() => {});
    return popup;
  }

  async #until(isDone: () => boolean, budget: Budget): Promise<void> {
    const end = Date.now() + budget.cut(NAVIGATION_MS);
    while (!isDone() && Date.now() < end) await budget.pause(POPUP_MS.look);
  }
}

/** Whether a new window, which has no page yet, got an answer without a document. */
function isUndelivered(request: Request): boolean {
  if (!request.isNavigationRequest() || !UNDELIVERED.has(request.failure()?.errorText ?? "")) return false;
  try {
    return request.frame() === undefined;
  } catch {
    return true;
  }
}

/** The dialogs of a run's pages. */
export class Dialogs {
  /** Whether a step is at work: it was written by somebody who wants what the dialog asks about. */
  isExpected = false;

  /** @param onCancelled called with the text of a question that was answered with "Cancel" */
  constructor(context: BrowserContext, onCancelled: (text: string) => void) {
    context.on("dialog", (dialog) => {
      const isAccepted = this.#accepts(dialog);
      if (!isAccepted && dialog.type() !== "alert")
        onCancelled(dialog.message().slice(0, QUOTED.dialog).toWellFormed());
      const answer = isAccepted ? dialog.accept() : dialog.dismiss();
      answer.catch(() => {});
    });
  }

  #accepts(dialog: Dialog): boolean {
    // Otherwise, the page would stay open.
    if (dialog.type() === "beforeunload") return true;
    return this.isExpected && dialog.type() === "confirm";
  }
}
