import type { BrowserContext, Dialog } from "playwright-core";

/** Characters of a dialog's text that a message quotes. */
const TEXT_MAX = 100;

/** The dialogs of a run's pages. */
export class Dialogs {
  /** Whether a step is at work: it was written by somebody who wants what the dialog asks about. */
  isExpected = false;

  /** @param onCancelled called with the text of a question that was answered with "Cancel" */
  constructor(context: BrowserContext, onCancelled: (text: string) => void) {
    context.on("dialog", (dialog) => {
      const isAccepted = this.#accepts(dialog);
      if (!isAccepted && dialog.type() !== "alert")
        onCancelled(dialog.message().slice(0, TEXT_MAX).toWellFormed());
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
