import fc from "fast-check";

/** A seed that is the same in each `npm test`, and another one in each `npm run test:slow`. */
export const newSeed = (): number => (process.env.RANDOM_SEEDS ? Math.floor(Math.random() * 2 ** 31) : 1);

fc.configureGlobal({ seed: newSeed() });

/** Property tests. After a failure, fast-check prints the seed and the smallest counterexample. */
export { fc };
