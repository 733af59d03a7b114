import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, isAbort } from "./api-error.ts";
import { poll } from "./poll.ts";

/**
 * The state of a load: data, an error, or neither while the first load is in progress. If a later load fails, it has
 * both: the data of the previous load and the error.
 */
export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  /** Loads the data again. Resolves when the load has succeeded or failed. */
  reload: () => Promise<void>;
  /** Replaces the data, for example with the response to a change. */
  set: (data: T) => void;
}

/**
 * Loads data, and loads it again when one of `keys` changes. While `isLive` returns true for the data, polls it. After
 * a temporary error, retries.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  isLive: (data: T) => boolean = () => false,
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; keys?: readonly unknown[] }>({});
  const latest = useRef({ load, isLive });
  latest.current = { load, isLive };
  /** Whether the state belongs to the current keys. Otherwise it is not shown. */
  const known = isSame(state.keys, keys);

  const read = useCallback(async (signal: AbortSignal): Promise<boolean> => {
    try {
      const data = await latest.current.load(signal);
      if (!signal.aborted) setState({ data, keys });
      return latest.current.isLive(data);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return false;
      setState(({ data, keys: before }) => ({
        ...(isSame(before, keys) && data !== undefined && { data }),
        error,
        keys,
      }));
      // Only temporary errors are retried.
      return error instanceof ApiError && (error.isOffline || error.status === 429 || error.status >= 500);
    }
  }, keys);
  const [round, setRound] = useState(0);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const first = async (signal: AbortSignal) => {
      const more = await read(signal);
      for (const resolve of waiting.current.splice(0)) resolve();
      return more;
    };
    void poll(first, controller.signal);
    return () => controller.abort();
  }, [read, round]);

  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        setRound((before) => before + 1);
      }),
    [],
  );
  const set = useCallback((data: T) => setState({ data, keys }), keys);
  return { data: known ? state.data : undefined, error: known ? state.error : undefined, reload, set };
}

const isSame = (one: readonly unknown[] | undefined, other: readonly unknown[]): boolean =>
  one?.every((key, index) => key === other[index]) === true;
