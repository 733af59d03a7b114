import fc from "fast-check";

/** A seed that is the same in each `npm test`, and another one in each `npm run test:slow`. */
export const newSeed = (): number => (process.env.RANDOM_SEEDS ? Math.floor(Math.random() * 2 ** 31) : 1);

fc.configureGlobal({ seed: newSeed() });

/** How many cases a property is tried with. With a seed that never changes, more of them find nothing more: a quarter will do. */
export const tries = (count: number): { numRuns: number } => ({
  numRuns: process.env.RANDOM_SEEDS ? count : Math.ceil(count / 4),
});

/** Property tests. After a failure, fast-check prints the seed and the smallest counterexample. */
export { fc };
