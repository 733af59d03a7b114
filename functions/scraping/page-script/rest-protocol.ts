/** Messages about what may still change a page: plain JSON. */

/** The function of the isolated world by which the page script asks the engine to let the page come to rest. */
export const SETTLE_BINDING = "__gleanerSettle";

/** How a page comes to rest. */
export interface SettleRequest {
  /** Whether the page was just scrolled: it is told of that in a frame. */
  scrolled?: boolean;
  /** Whether something was just pressed, typed or chosen. */
  acted?: boolean;
  /** Whether some more of the page's time passes, although the page is at rest. */
  more?: boolean;
  /** Whether a new document only loads, and none of its time passes. */
  early?: boolean | undefined;
}

/** What the page script tells the engine: how it wants the page to come to rest, or that it is about to press something. */
export type HostMessage = SettleRequest | "pressing";

/** What may still change a document. */
export interface RestState {
  /** Whether nothing can change it any more. */
  isFinal: boolean;
  isLoading: boolean;
  /** Whether it has changed since the last answer. */
  hasChanged: boolean;
  /** The same of its elements and texts, whose attributes may change without end. */
  hasOtherContent: boolean;
  /** Elements. */
  size: number;
  /** How much of the page's time has passed since the last change, in ms. */
  quietMs: number;
  /** Callbacks for the next frame. */
  frames: number;
  /**
   * How often the page has begun to observe what it is told of only in frames, such as sizes, positions and closed dialogs:
   * the next frame tells of each for the first time.
   */
  observes: number;
  /** Work of the browser that is under way, such as to read a database. */
  work: number;
  /** How many workers it has started, and messages it has sent to workers. */
  asked: number;
  /** Animations that are running and have an end. */
  animations: number;
  /** How often all of it has begun to listen to moves of the pointer, and to turns of its wheel: only a person makes them. */
  moves: number;
  wheels: number;
  /** How much of the page's time it is until its next timer is due, in ms. 0 if that is not known. */
  timerMs: number;
  /** Whether the list is there that is about to be read. */
  hasList: boolean;
}

/**
 * Events of the document by which the page script asks the world of the page's own scripts what they wait for, and by
 * which that world answers: neither timers nor requests show it.
 */
export const ASK = "gleaner-ask";
/** Its `detail` has the frames, observers, work, questions, moves, wheels and the time of `RestState`, with spaces between them. */
export const TELL = "gleaner-tell";

/** The time until the next timer of a page that has none. */
export const NO_TIMER = Number.MAX_SAFE_INTEGER;
