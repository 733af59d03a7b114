// Tests may replace the one of the time that they run at.
const { setImmediate } = globalThis;

interface UncaughtErrors {
  /** The errors so far, after those of the current turn of the event loop. */
  take: () => Promise<unknown[]>;
  stop: () => void;
}

/** Collects errors that nobody catches. Without it, they end the process. A rejection may be handled until it is taken. */
export function uncaughtErrors(): UncaughtErrors {
  const errors: unknown[] = [];
  const rejections = new Map<Promise<unknown>, unknown>();
  const onError = (error: unknown) => void errors.push(error);
  const onRejection = (error: unknown, promise: Promise<unknown>) => void rejections.set(promise, error);
  const onHandled = (promise: Promise<unknown>) => void rejections.delete(promise);
  // Jest's own listener ends the worker.
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onRejection);
  process.on("rejectionHandled", onHandled);
  return {
    take: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...errors, ...rejections.values()];
    },
    stop: () => {
      process.off("uncaughtException", onError);
      process.off("unhandledRejection", onRejection);
      process.off("rejectionHandled", onHandled);
      for (const listener of others) process.on("uncaughtException", listener);
    },
  };
}
