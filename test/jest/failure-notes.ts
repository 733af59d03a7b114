export interface FailureNote {
  /** The test that it belongs to; undefined: all of the file. */
  test: object | undefined;
  title: string;
  text: () => string | Promise<string>;
}

declare global {
  /** Set by test/jest/environment.ts. */
  var failureNotes: FailureNote[] | undefined;
}

/** Undefined in a command that starts a service as tests do: Jest's functions can't be imported there. */
const jest = globalThis.failureNotes && (await import("@jest/globals"));

/**
 * Prints a text when the running test fails; called outside of a test, whenever one of the file's fails. The text is
 * made when it is needed, and not printed when it is empty.
 */
export function onFailure(title: string, text: FailureNote["text"]): void {
  globalThis.failureNotes?.push({ test: jest?.expect.getState().currentTestIdentity?.(), title, text });
}
