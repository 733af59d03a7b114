import { signal } from "@preact/signals";
import { api, type Inspection, type InspectionRequest } from "../../api/api.ts";
import { ApiError, isAbort } from "../../api/api-error.ts";
import { pause } from "../../api/request.ts";

export type AskedInspection = Parameters<typeof api.inspect>[0];
export type { InspectionRequest };

/** What is being done, in words, and since when. */
export interface Work {
  text: string;
  since: number;
}

/** How often an inspection is asked for again that found no free browser. */
const ATTEMPTS = 12;
const RETRY_MS = 3_000;

/** Inspections of one kind, of which only the newest counts: an older one is ended, and its answer is ignored. */
export class Latest {
  readonly work = signal<Work | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  #controller: AbortController | undefined;

  /** Asks. @returns undefined if another inspection has been asked for since, or the request failed: see `error` */
  async ask(body: AskedInspection, text: string): Promise<Inspection | undefined> {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = controller;
    const since = Date.now();
    this.work.value = { text, since };
    this.error.value = undefined;
    try {
      const answer = await patiently(body, signal, () => {
        this.work.value = { text: "Waiting for a free browser", since };
      });
      return signal.aborted ? undefined : answer;
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.error.value = error;
      return undefined;
    } finally {
      if (!signal.aborted) this.work.value = undefined;
    }
  }

  /** Ends what is under way. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.work.value = undefined;
  }
}

async function patiently(
  body: AskedInspection,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Inspection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.inspect(body, signal);
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 503 || error.status === 429);
      if (!isBusy || attempt === ATTEMPTS) throw error;
      onWait();
      await pause(error.retryAfterMs ?? RETRY_MS, signal);
    }
  }
}
