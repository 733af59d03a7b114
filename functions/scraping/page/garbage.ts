import type { CDPSession } from "playwright-core";
import { DOCUMENTS } from "../limits.ts";
import type { PageCalls } from "./page-calls.ts";

/** What the page script and earlier documents leave in the memory of a page's process. */
export class Garbage {
  readonly #calls: Pick<PageCalls, "send">;
  #documents = 0;

  constructor(cdp: CDPSession, calls: Pick<PageCalls, "send">) {
    this.#calls = calls;
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#documents += 1;
      if (this.#documents % DOCUMENTS.kept === 0) this.collect();
    });
  }

  async collect(): Promise<void> {
    // It only saves memory. A page that is busy, or gone, does without.
    await this.#calls.send("HeapProfiler.collectGarbage").catch(() => {});
  }
}
