/// <reference lib="dom" />

/** Animations and transitions that are running and have an end. Those that keep their last state are over. */
export const runningAnimations = (): Animation[] =>
  document.getAnimations().filter(({ effect, playState }) => {
    if (playState !== "running") return false;
    const { endTime = Number.POSITIVE_INFINITY } = effect?.getComputedTiming() ?? {};
    return Number.isFinite(Number(endTime));
  });
