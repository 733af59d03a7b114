/// <reference lib="dom" />
import { releaseLayout } from "./layout.ts";
import { moments } from "./waiting.ts";

/** How often animations may follow one another. */
export const ANIMATION_ROUNDS = 3;

/** Animations and transitions that are running and have an end. Those that keep their last state are over. */
export const runningAnimations = (): Animation[] =>
  document.getAnimations().filter(({ effect, playState }) => {
    if (playState !== "running") return false;
    const { endTime = Number.POSITIVE_INFINITY } = effect?.getComputedTiming() ?? {};
    return Number.isFinite(Number(endTime));
  });

/** Those of what holds the first or the last row. */
const animationsOf = (rows: readonly Element[]): Animation[] => {
  const ends = [rows[0], rows.at(-1)].filter((row) => row !== undefined);
  return runningAnimations().filter(
    ({ effect }) => effect instanceof KeyframeEffect && ends.some((row) => effect.target?.contains(row)),
  );
};

/** Ends animations, and waits until the page has answered. */
export async function endAnimations(running: readonly Animation[]): Promise<void> {
  for (const animation of running) animation.finish();
  // In the first frame the page is told, in the second its answer is there.
  await moments(2);
}

/**
 * Ends the transitions that the list is in after something was pressed: until their end, a page may show its old rows
 * beside the new ones, or only the old ones.
 */
export async function finishAnimations(look: () => readonly Element[]): Promise<void> {
  // Without layout, no transition runs.
  releaseLayout();
  await moments(1);
  for (let round = 0; round < ANIMATION_ROUNDS; round += 1) {
    const running = animationsOf(look());
    if (running.length === 0) return;
    await endAnimations(running);
  }
}
