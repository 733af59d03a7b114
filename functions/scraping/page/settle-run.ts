export interface Settled {
  /** Whether the page has changed, or was replaced. */
  hasChanged: boolean;
  /** Whether it still got more elements or data in the end. */
  isGrowing: boolean;
}

/** What has happened since a page was asked to come to rest. */
export interface Run {
  started: number;
  /** How long the page was waited for, beside its time, in real ms. Time in which the browser did not respond does not count. */
  waitedMs: number;
  /** The number of the page's requests when it last came to rest. */
  requests: number;
  patienceMs: number;
  /** Whether something was done to the page that it was not looked at since. */
  isActed: boolean;
  /** New documents. */
  documents: number;
  /** Rounds of the document on show. */
  round: number;
  /** How many frames the page needs now, and how many it has had. */
  need: number;
  frames: number;
  /** Whether the page changed while its last frames were drawn. */
  hasDrawn: boolean;
  /** Animations at the last look. */
  animations: number;
  hasChanged: boolean;
  isGrowing: boolean;
}

export const beginRun = (requests: number, patienceMs: number, isActed = false): Run => ({
  started: performance.now(),
  waitedMs: 0,
  requests,
  patienceMs,
  isActed,
  documents: 0,
  round: 0,
  need: 0,
  frames: 0,
  hasDrawn: false,
  animations: 0,
  hasChanged: false,
  isGrowing: false,
});
