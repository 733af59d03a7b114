/**
 * Where a run resumes: plain JSON that only the engine reads. `url` is the address of the page to resume at, where
 * the address alone leads there.
 */
export type Checkpoint = Record<string, unknown> & { url?: string };
