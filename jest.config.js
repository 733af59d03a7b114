import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What tests, and the processes that they start, leave in the temporary folder goes with it.
const folder = mkdtempSync(join(tmpdir(), "gleaner-tests-"));
// Some tests start processes of another user.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.once("exit", () => rmSync(folder, { recursive: true, maxRetries: 3 }));

/** Packages that are loaded once per worker: test/jest/load-once.ts. */
const LARGE = ["playwright-core", "@aws-sdk/[^/]+", "aws-cdk-lib", "cdk-nag", "constructs"];
/** So is the local table, and the class of its errors. */
const LOCAL_TABLE = ["dynamodb/client", "data/data-folder"];

const common = {
  testEnvironment: "<rootDir>/test/jest/environment.ts",
  // `npm run test:slow` runs the rest, which are named *.slow.test.ts.
  testMatch: ["<rootDir>/test/**/!(*.slow).test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    [`/local/(?:${LOCAL_TABLE.join("|")})\\.ts$`]: "<rootDir>/test/jest/load-once.ts",
    "\\.ts$": "<rootDir>/test/jest/strip-types.ts",
    [`/node_modules/(?:${LARGE.join("|")})/.*\\.js$`]: "<rootDir>/test/jest/load-once.ts",
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${LARGE.join("|")})/)`],
};

/** Unit tests mirror the source; test/e2e runs the whole service with a real browser. */
export default {
  projects: [
    { ...common, displayName: "unit", testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/e2e/"] },
    {
      ...common,
      displayName: "e2e",
      roots: ["<rootDir>/test/e2e"],
      globalSetup: "<rootDir>/test/e2e/shared/global-setup.ts",
      globalTeardown: "<rootDir>/test/e2e/shared/global-teardown.ts",
    },
  ],
  testSequencer: "<rootDir>/test/jest/longest-first.js",
  testTimeout: 150_000,
  // Most of them wait for a browser or a process most of the time.
  maxWorkers: 4,
  // ES modules of earlier files are never freed: https://github.com/nodejs/node/issues/33439.
  workerIdleMemoryLimit: "1GB",
  // Node.js frees hundreds of megabytes of a worker that ends. On a busy machine, that takes more than the usual 500 ms.
  workerGracefulExitTimeout: 15_000,
  // Of `test.concurrent`, in each worker. With more tests at a time, pages get too little time on two cores.
  maxConcurrency: 2,
};
