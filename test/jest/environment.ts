import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";
import type { FailureNote } from "./failure-notes.ts";
import type { TestGlobals } from "./globals.ts";
import { keepVariables } from "./variables.ts";

interface TestEvent {
  name: string;
  test?: { name: string; errors: unknown[] };
}

/** Node.js itself calls them by their names, for example for streams. */
const USED_BY_NODE = ["nextTick" as const, "queueMicrotask" as const];

type Config = ConstructorParameters<typeof ModernFakeTimers>[0]["config"];

/**
 * The environment of a test file: the process itself, whose variables and own globals are as before when the file has run.
 * For a failed test, it also prints the notes that helpers have registered.
 */
export default class Environment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly jest: TestGlobals["jest"];
  readonly #timers: ModernFakeTimers;
  readonly #notes: FailureNote[] = [];
  readonly #restoreVariables = keepVariables();
  readonly #globals = Object.getOwnPropertyDescriptors(globalThis);
  readonly #exit = process.exit;

  constructor({ projectConfig }: { projectConfig: Config }) {
    const { moduleMocker: mocker } = this;
    const timers = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#timers = timers;
    this.jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      resetAllMocks: () => mocker.resetAllMocks(),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: (options) => timers.useFakeTimers({ doNotFake: USED_BY_NODE, ...options }),
      useRealTimers: () => timers.useRealTimers(),
      setSystemTime: (now) => timers.setSystemTime(now),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
  }

  /** Tests run in no realm of their own. */
  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {
    globalThis.failureNotes = this.#notes;
    // Playwright captures a stack trace for each call. Jest would apply source maps to all of them, but there are none.
    Reflect.deleteProperty(Error, "prepareStackTrace");
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    this.#timers.dispose();
    this.#restoreVariables();
    process.exit = this.#exit;
    // What packages have added stays, because they are not loaded again.
    Object.defineProperties(globalThis, this.#globals);
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
