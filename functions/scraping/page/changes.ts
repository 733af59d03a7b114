/** Lets others wait until something changes. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const resume of [...this.#waiting]) resume();
  }

  /**
   * Resolves at the next change, or after `ms`. The caller checks what has changed.
   * @throws the signal's reason when it fires first
   */
  next(ms: number, signal: AbortSignal): Promise<void> {
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
      // A crash may end the wait before; the browser itself keeps the process alive until then.
      timer.unref();
      this.#waiting.add(resume);
      signal.addEventListener("abort", fail);
    });
  }
}
