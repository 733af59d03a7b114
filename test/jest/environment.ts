import { createRequire } from "node:module";
import { type Context, runInContext } from "node:vm";
import { TestEnvironment } from "jest-environment-node";
import type { FailureNote } from "./failure-notes.ts";

interface TestEvent {
  name: string;
  test?: { name: string; errors: unknown[] };
}

/** Tests run in their own realm. This code makes `instanceof Error` true there for errors of other realms, too. */
const ERRORS_OF_ALL_REALMS = `
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(error) {
      return this === Error ? Error.isError(error) : isInstance.call(this, error);
    },
  });
`;

/** Jest's environment for Node.js. For a failed test, it also prints the notes that helpers have registered. */
export default class Environment extends TestEnvironment {
  readonly #notes: FailureNote[] = [];

  override async setup(): Promise<void> {
    await super.setup();
    this.global.failureNotes = this.#notes;
    this.global.loadPackage = createRequire(import.meta.url);
    // Playwright captures a stack trace for each call. Jest would apply source maps to all of them, but there are none.
    Reflect.deleteProperty(Error, "prepareStackTrace");
    runInContext(ERRORS_OF_ALL_REALMS, this.context as Context);
  }

  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    if (name !== "test_done" || test === undefined) return;
    // Tests may run concurrently. The notes of the other tests are kept.
    for (const note of this.#notes.splice(0)) {
      if (note.test !== test) this.#notes.push(note);
      if (test.errors.length === 0 || (note.test !== undefined && note.test !== test)) continue;
      const text = await note.text();
      if (text !== "") process.stderr.write(`${test.name}: ${note.title}:\n${text}\n\n`);
    }
  }
}
