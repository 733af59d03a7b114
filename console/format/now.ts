import { signal } from "@preact/signals";

/** The time, for texts such as "3 minutes ago": it moves on while somebody looks. */
export const now = signal(Date.now());
const STEP_MS = 10_000;

export function startClock(): void {
  const tick = () => {
    if (!document.hidden) now.value = Date.now();
  };
  setInterval(tick, STEP_MS);
  document.addEventListener("visibilitychange", tick);
}
