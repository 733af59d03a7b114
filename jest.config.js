/** Packages that are loaded once per worker: test/jest/load-once.ts. */
const LARGE = ["playwright-core", "@aws-sdk/[^/]+", "aws-cdk-lib", "cdk-nag", "constructs"];

/** Unit tests mirror the source; test/e2e runs the whole service with a real browser. */
export default {
  testEnvironment: "<rootDir>/test/jest/environment.ts",
  testSequencer: "<rootDir>/test/jest/longest-first.js",
  // `npm run test:slow` runs the rest, which are named *.slow.test.ts.
  testMatch: ["<rootDir>/test/**/!(*.slow).test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "\\.ts$": "<rootDir>/test/jest/strip-types.ts",
    [`/node_modules/(?:${LARGE.join("|")})/.*\\.js$`]: "<rootDir>/test/jest/load-once.ts",
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${LARGE.join("|")})/)`],
  testTimeout: 150_000,
  // Most of them wait for a browser or a process most of the time.
  maxWorkers: 3,
  // ES modules of earlier files are never freed: https://github.com/nodejs/node/issues/33439.
  workerIdleMemoryLimit: "1GB",
  // Of `test.concurrent`, in each worker. With more tests at a time, pages get too little time on two cores.
  maxConcurrency: 2,
};
