import { ModuleMocker } from "jest-mock";

/** A Jest environment without a realm of its own: tests run as Node.js runs any program. */
export default class Environment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly #console = console;
  readonly #exit = process.exit;
  readonly #env = { ...process.env };

  async setup(): Promise<void> {
    // Playwright captures a stack trace for each call. Jest would apply source maps to all of them, but there are none.
    Reflect.deleteProperty(Error, "prepareStackTrace");
  }

  async teardown(): Promise<void> {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ["node"];
  }
}
