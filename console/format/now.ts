import { signal } from "@preact/signals";

/** The current time in ms, for texts such as "3 minutes ago". It is updated while the tab is visible. */
export const now = signal(Date.now());
const STEP_MS = 10_000;

export function startClock(): void {
  const tick = () => {
    if (!document.hidden) now.value = Date.now();
  };
  setInterval(tick, STEP_MS);
  document.addEventListener("visibilitychange", tick);
}
