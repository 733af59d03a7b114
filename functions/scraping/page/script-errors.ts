import type { CDPSession } from "playwright-core";
import { KEPT, QUOTED } from "../limits.ts";

/** What an error that a page logs looks like among the arguments of `console.error`. */
interface LoggedValue {
  subtype?: string | undefined;
  description?: string | undefined;
}

/**
 * Errors that a page's scripts do not catch, or catch and log. An error that the page has had before tells nothing: it
 * did not keep the page from showing rows then.
 */
export class ScriptErrors {
  readonly #seen = new Set<string>();
  #last: { number: number; text: string } | undefined;

  constructor(cdp: Pick<CDPSession, "on">) {
    cdp.on("Runtime.exceptionThrown", ({ exceptionDetails: { text, exception } }) => {
      this.#note(exception?.description ?? String(exception?.value ?? text));
    });
    cdp.on("Runtime.consoleAPICalled", ({ type, args }) => {
      const logged: LoggedValue | undefined =
        type === "error" ? args.find(({ subtype }) => subtype === "error") : undefined;
      if (logged?.description !== undefined) this.#note(logged.description);
    });
  }

  #note(description: string): void {
    // The lines after the first one are the stack.
    const [line = ""] = description.slice(0, QUOTED.error).toWellFormed().split("\n");
    if (this.#seen.has(line) || this.#seen.size >= KEPT.errors) return;
    this.#seen.add(line);
    this.#last = { number: this.#seen.size, text: line };
  }

  /** How many different errors there were. */
  get count(): number {
    return this.#seen.size;
  }

  /** The last one since errors were last forgotten. */
  get last(): string | undefined {
    return this.#last?.text;
  }

  /** Forgets it if it was among the first `count`. */
  forget(count: number): void {
    if (this.#last && this.#last.number <= count) this.#last = undefined;
  }
}
