import { signal } from "@preact/signals";
import { api, type Inspection, type InspectionRequest } from "../../api/api.ts";
import { ApiError, isAbort } from "../../api/api-error.ts";
import { pause } from "../../api/request.ts";

export type AskedInspection = Parameters<typeof api.inspect>[0];
export type { InspectionRequest };

/** An inspection in progress: a description to show, and the time when it started, in ms. */
export interface Work {
  text: string;
  since: number;
}

/** How often an inspection is tried if no browser is free. */
const ATTEMPTS = 12;
const RETRY_MS = 3_000;

/** Sends inspections, one at a time. A new inspection aborts the previous one, and its response is ignored. */
export class LatestInspection {
  readonly work = signal<Work | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  #controller: AbortController | undefined;

  /**
   * Sends an inspection. `text` describes it to the user.
   * @returns undefined if it was aborted, or if it failed; then `error` has the reason
   */
  async ask(body: AskedInspection, text: string): Promise<Inspection | undefined> {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = controller;
    const since = Date.now();
    this.work.value = { text, since };
    this.error.value = undefined;
    try {
      const answer = await inspectWithRetries(body, signal, () => {
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

  /** Aborts the inspection in progress. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.work.value = undefined;
  }
}

/** Sends an inspection, and retries it while no browser is free. */
async function inspectWithRetries(
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
