import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, isAbort } from "./api-error.ts";
import { poll } from "./poll.ts";

/** What a page shows: data, an error, or neither while it loads. After data came, an error leaves it there. */
export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  /** Loads it again. Resolves when that is done. */
  reload: () => Promise<void>;
  /** Puts what a request has answered in place of the data. */
  set: (data: T) => void;
}

/**
 * Loads something when `keys` change. `isLive`: whether it will still change; then it is loaded again and again.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  isLive: (data: T) => boolean = () => false,
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; keys?: readonly unknown[] }>({});
  const latest = useRef({ load, isLive });
  latest.current = { load, isLive };
  /** What belongs to other keys is not shown. */
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
      // What may pass is tried again.
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
