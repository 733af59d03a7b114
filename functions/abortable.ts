/**
 * The result of `work`, unless the signal fires first: then rejects with the signal's reason. Safe to call any number
 * of times with a signal that lives long: a `Promise.race` against one long-lived promise would keep the result of
 * every call in memory as long as that promise lives.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
