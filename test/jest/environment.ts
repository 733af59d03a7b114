import { createRequire } from "node:module";
import { type Context, runInContext } from "node:vm";
import { TestEnvironment } from "jest-environment-node";
import type { FailureNote } from "./failure-notes.ts";

interface TestEvent {
  name: string;
  test?: { name: string; errors: unknown[] };
}

/** Tests run in a realm of their own. There, `instanceof Error` is true for errors of Node and its packages, too. */
const ERRORS_OF_ALL_REALMS = `
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(error) {
      return this === Error ? Error.isError(error) : isInstance.call(this, error);
    },
  });
`;

/** Node, and what helpers have to say of a test that failed. */
export default class Environment extends TestEnvironment {
  readonly #notes: FailureNote[] = [];

  override async setup(): Promise<void> {
    await super.setup();
    this.global.failureNotes = this.#notes;
    this.global.loadPackage = createRequire(import.meta.url);
    // Playwright captures a stack trace for each call. Jest would map all of them, but there are no source maps.
    Reflect.deleteProperty(Error, "prepareStackTrace");
    runInContext(ERRORS_OF_ALL_REALMS, this.context as Context);
  }

  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    if (name !== "test_done" || test === undefined) return;
    // Tests may run side by side: the others' notes stay.
    for (const note of this.#notes.splice(0)) {
      if (note.test !== test) this.#notes.push(note);
      if (test.errors.length === 0 || (note.test !== undefined && note.test !== test)) continue;
      const text = await note.text();
      if (text !== "") process.stderr.write(`${test.name}: ${note.title}:\n${text}\n\n`);
    }
  }
}
