import { TestEnvironment } from "jest-environment-node";
import type { FailureNote } from "./failure-notes.ts";

interface TestEvent {
  name: string;
  test?: { name: string; errors: unknown[] };
}

/** Node, and what helpers have to say of a test that failed. */
export default class Environment extends TestEnvironment {
  readonly #notes: FailureNote[] = [];

  override async setup(): Promise<void> {
    await super.setup();
    this.global.failureNotes = this.#notes;
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
