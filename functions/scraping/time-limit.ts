/** The page took too long. */
export class CallTimeout extends Error {
  override readonly name = "CallTimeout";
}

/**
 * The result of a promise, or CallTimeout after `ms`. A page whose scripts never rest answers nothing at all, and not
 * every call of Playwright has a timeout.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new CallTimeout(`no answer from the page within ${ms} ms`)), ms);
        // The timer must not keep the process alive: the browser does that as long as it runs.
        timer.unref();
      }),
    ]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
