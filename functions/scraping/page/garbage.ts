import type { CDPSession } from "playwright-core";
import type { PageCalls } from "./page-calls.ts";

/** After so many documents, those before are freed: by itself, the page's process would keep a megabyte of each. */
const DOCUMENTS_KEPT = 25;

/** What the page script and earlier documents leave in the memory of a page's process. */
export class Garbage {
  readonly #calls: Pick<PageCalls, "send">;
  #documents = 0;

  constructor(cdp: CDPSession, calls: Pick<PageCalls, "send">) {
    this.#calls = calls;
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#documents += 1;
      if (this.#documents % DOCUMENTS_KEPT === 0) this.collect();
    });
  }

  async collect(): Promise<void> {
    // It only saves memory. A page that is busy, or gone, does without.
    await this.#calls.send("HeapProfiler.collectGarbage").catch(() => {});
  }
}
