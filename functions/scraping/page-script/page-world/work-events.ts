/**
 * Events of the document by which the page script asks the world of the page's own scripts what they wait for, and by
 * which that world answers: neither timers nor requests show it.
 */
export const ASK = "gleaner-ask";
/** Its `detail` has the counts of `Waiting`, with spaces between them. */
export const TELL = "gleaner-tell";
