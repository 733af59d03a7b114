import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type Environment from "./environment.ts";
import { setGlobals, type TestGlobals } from "./globals.ts";

const GLOBALS = pathToFileURL(join(import.meta.dirname, "globals.ts")).href;
/** Where Jest keeps who is told of the events of a test file. */
const EVENT_HANDLERS = Symbol.for("EVENT_HANDLERS");

const require = createRequire(import.meta.url);

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * Jest's runtime, which loads a test file. This one leaves that to Node.js, which loads each module once per worker,
 * and caches what it has compiled. Jest's own would load and compile all modules again for each test file, in a realm
 * of their own.
 */
export default class Runtime {
  readonly #environment: Environment;

  constructor(_config: unknown, environment: Environment) {
    this.#environment = environment;
  }

  /** Loads Jest's part that collects and runs the tests of a file. It keeps their state, so each file gets a new one. */
  requireInternalModule(path: string): unknown {
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  setGlobalsForRuntime(globals: Omit<TestGlobals, "jest">): void {
    setGlobals({ ...globals, jest: this.#environment.jest });
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href);
  }

  /** Code needs none: types are stripped in place. */
  getSourceMaps(): undefined {}

  getAllCoverageInfoCopy(): undefined {}

  enterTestCode(): void {}

  leaveTestCode(): void {}

  teardown(): void {}
}
