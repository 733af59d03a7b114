/**
 * Events of the document by which the world of the page's own scripts tells the page script what they wait for, because
 * neither timers nor requests show it.
 */
export const WORK = {
  /** The page is told of sizes or positions, which happens only in frames that the browser draws. */
  observes: "gleaner-observes",
  /** Work of the browser begins, such as to read a database, and ends. */
  begins: "gleaner-begins",
  ends: "gleaner-ends",
} as const;
