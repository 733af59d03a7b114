/// <reference lib="dom" />
import { releaseLayout } from "./layout.ts";
import { waitFramesAndTime } from "./waiting.ts";

/** How many rounds of animations may follow one another. */
export const ANIMATION_ROUNDS = 3;

/** Animations and transitions that are running and have an end. Those that keep their last state are over. */
export const runningAnimations = (): Animation[] =>
  document.getAnimations().filter(({ effect, playState }) => {
    if (playState !== "running") return false;
    const { endTime = Number.POSITIVE_INFINITY } = effect?.getComputedTiming() ?? {};
    return Number.isFinite(Number(endTime));
  });

/** The animations of elements that contain the first or the last row. */
const animationsOf = (rows: readonly Element[]): Animation[] => {
  const ends = [rows[0], rows.at(-1)].filter((row) => row !== undefined);
  return runningAnimations().filter(
    ({ effect }) => effect instanceof KeyframeEffect && ends.some((row) => effect.target?.contains(row)),
  );
};

/** Finishes running animations, and waits until the page has reacted. */
export async function endAnimations(animations: Iterable<Animation>): Promise<void> {
  for (const animation of animations) if (animation.playState === "running") animation.finish();
  // The page is notified in the first frame, and its reaction is visible in the second.
  await waitFramesAndTime(2);
}

/**
 * Finishes transitions of the list after a press. Until they end, a page may show its old rows beside the new ones, or only
 * the old ones.
 */
export async function finishAnimations(look: () => readonly Element[]): Promise<void> {
  // Without layout, no transition runs.
  releaseLayout();
  await waitFramesAndTime(1);
  for (let round = 0; round < ANIMATION_ROUNDS; round += 1) {
    const running = animationsOf(look());
    if (running.length === 0) return;
    await endAnimations(running);
  }
}
