/** Wakes up code that waits until something changes. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const resume of [...this.#waiting]) resume();
  }

  /**
   * Waits until a change makes `isDone` true, at most `ms`.
   * @returns whether it is true
   * @throws the signal's reason when it fires first
   */
  async until(isDone: () => boolean, ms: number, signal: AbortSignal): Promise<boolean> {
    const end = Date.now() + ms;
    while (!isDone()) {
      const left = end - Date.now();
      if (left <= 0) return false;
      await this.#next(left, signal);
    }
    return true;
  }

  /** Resolves at the next change, or after `ms`. */
  #next(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#waiting.delete(resume);
        signal.removeEventListener("abort", fail);
      };
      const resume = () => {
        stop();
        resolve();
      };
      const fail = () => {
        stop();
        reject(signal.reason);
      };
      const timer = setTimeout(resume, ms);
      // The timer must not keep the process alive: the browser does that as long as it runs.
      timer.unref();
      this.#waiting.add(resume);
      signal.addEventListener("abort", fail);
    });
  }
}
