export interface FailureNote {
  /** The test that the note belongs to; undefined for all tests of the file. */
  test: object | undefined;
  title: string;
  text: () => string | Promise<string>;
}

declare global {
  /** Set by test/jest/environment.ts. */
  var failureNotes: FailureNote[] | undefined;
}

/**
 * Undefined outside of Jest, for example in a benchmark that uses test helpers: Jest's functions can't be imported
 * there.
 */
const jest = globalThis.failureNotes && (await import("@jest/globals"));

/**
 * Prints a text if the running test fails. If it is called outside of a test, prints the text for each failed test of
 * the file. `text` is only called after a failure. An empty text is not printed.
 */
export function onFailure(title: string, text: FailureNote["text"]): void {
  globalThis.failureNotes?.push({ test: jest?.expect.getState().currentTestIdentity?.(), title, text });
}
