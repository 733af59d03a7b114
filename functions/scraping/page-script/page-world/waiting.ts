/// <reference lib="dom" />
/** What the page's scripts wait for, beside timers and requests. */
import { ASK, TELL } from "./work-events.ts";

const { CustomEvent, EventTarget } = window;
const { dispatchEvent, addEventListener } = EventTarget.prototype;

export const waiting = {
  /** Callbacks for the next frame. */
  frames: 0,
  /** Whether the page is told of sizes or positions, which happens only in frames. */
  observes: 0,
  /** Work of the browser, such as to read a database. */
  work: 0,
};

addEventListener.call(document, ASK, () => {
  const { frames, observes, work } = waiting;
  dispatchEvent.call(document, new CustomEvent(TELL, { detail: `${frames} ${observes} ${work}` }));
});
