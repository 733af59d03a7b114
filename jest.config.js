import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What tests, and the processes that they start, leave in the temporary folder goes with it.
const folder = mkdtempSync(join(tmpdir(), "gleaner-tests-"));
// Some tests start processes of another user.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.once("exit", () => rmSync(folder, { recursive: true, maxRetries: 3 }));

const common = {
  testRunner: "<rootDir>/test/jest/runner.ts",
  testEnvironment: "<rootDir>/test/jest/environment.ts",
  // `npm run test:slow` runs the rest, which are named *.slow.test.ts.
  testMatch: ["<rootDir>/test/**/!(*.slow).test.ts"],
  // Node.js loads TypeScript itself.
  transform: {},
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
  // Modules are never freed, nor what earlier files have left in them.
  workerIdleMemoryLimit: "1GB",
  // Node.js frees hundreds of megabytes of a worker that ends. On a busy machine, that takes more than the usual 500 ms.
  workerGracefulExitTimeout: 15_000,
  // Of `test.concurrent`, in each worker. With more tests at a time, pages get too little time on two cores.
  maxConcurrency: 2,
};
