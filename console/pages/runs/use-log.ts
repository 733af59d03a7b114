import { useEffect, useState } from "preact/hooks";
import { api, type Log } from "../../api/api.ts";
import { isAbort } from "../../api/api-error.ts";
import { poll } from "../../api/poll.ts";

export interface LoadedLog {
  events: Log["data"];
  isComplete: boolean;
  error: unknown;
}

const NOTHING: LoadedLog = { events: [], isComplete: false, error: undefined };

/** Polls the log of a run until it is complete. Reads nothing while `isWanted` is false. */
export function useLog(id: string, isWanted: boolean): LoadedLog {
  const [log, setLog] = useState(NOTHING);
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    let next = 0;
    const read = async (signal: AbortSignal) => {
      try {
        const page = await api.readLog(id, next, signal);
        next = page.next;
        setLog(({ events }) => ({
          events: page.data.length === 0 ? events : [...events, ...page.data],
          isComplete: page.finished,
          error: undefined,
        }));
        return !page.finished;
      } catch (error) {
        if (isAbort(error)) return false;
        setLog((before) => ({ ...before, error }));
        return true;
      }
    };
    void poll(read, controller.signal);
    return () => {
      controller.abort();
      setLog(NOTHING);
    };
  }, [id, isWanted]);
  return log;
}
