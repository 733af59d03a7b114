interface FailureNote {
  /** The test that the note belongs to; undefined for all tests of the file. */
  test: object | undefined;
  title: string;
  text: () => string | Promise<string>;
}

declare global {
  /** Set by test/jest/runner.ts. Undefined outside of Jest, for example in a benchmark that uses test helpers. */
  var failureNotes: { notes: FailureNote[]; runningTest: () => object | undefined } | undefined;
}

/**
 * Prints a text if the running test fails. If it is called outside of a test, prints the text for each failed test of
 * the file. `text` is only called after a failure. An empty text is not printed.
 */
export function onFailure(title: string, text: FailureNote["text"]): void {
  const { failureNotes } = globalThis;
  failureNotes?.notes.push({ test: failureNotes.runningTest(), title, text });
}

/** Prints the notes of a test that failed, and forgets them if they are its own: tests may run concurrently. */
export async function printNotes(
  notes: FailureNote[],
  test: { name: string; errors: unknown[] },
): Promise<void> {
  for (const note of notes.splice(0)) {
    if (note.test !== test) notes.push(note);
    if (test.errors.length === 0 || (note.test !== undefined && note.test !== test)) continue;
    const text = await note.text();
    if (text !== "") process.stderr.write(`${test.name}: ${note.title}:\n${text}\n\n`);
  }
}
