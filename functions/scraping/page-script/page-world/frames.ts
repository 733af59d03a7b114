/// <reference lib="dom" />
/**
 * Gives a page frames by its own time. The browser draws them by the real time, so it draws none while the clock of a
 * page jumps: animations that count frames, or that count little of a long time between two frames, would stand still.
 * Drawn frames get the page's own time, too: the browser gives them the real time, and the same one again until it has
 * caught up.
 */
const {
  requestAnimationFrame: request,
  cancelAnimationFrame: cancel,
  setTimeout,
  clearTimeout,
  performance,
  reportError,
} = window;

/** A frame that began longer ago than this, in ms, shows that the page's clock is ahead. */
const FRAME_LAG_MAX_MS = 100;
/** Where the browser draws no frame for this long, in ms of the page's time, the page gets one that is not drawn. */
const FRAME_MS = 25;

/** The time of the last frame: the next one is never earlier. */
let last = 0;
/** What waits for a frame. */
const waiting = new Map<number, FrameRequestCallback>();
let timer: number | undefined;

/** Called in place of a frame. */
function onTimer(): void {
  timer = undefined;
  // Style sheets may be on their way: the browser draws nothing yet, and the page has no layout.
  if (document.readyState !== "complete") {
    startTimer();
    return;
  }
  last = Math.max(last, performance.now());
  const ids = [...waiting.keys()];
  for (const id of ids) cancel(id);
  for (const id of ids) {
    const callback = waiting.get(id);
    waiting.delete(id);
    try {
      callback?.(last);
    } catch (error) {
      reportError(error);
    }
  }
}

function startTimer(): void {
  timer ??= setTimeout(onTimer, FRAME_MS);
}

window.requestAnimationFrame = function requestAnimationFrame(callback) {
  // Throws.
  if (typeof callback !== "function") return request(callback);
  const id = request((time) => {
    waiting.delete(id);
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size > 0) startTimer();
    const now = performance.now();
    last = now - time > FRAME_LAG_MAX_MS || time < last ? now : time;
    callback(last);
  });
  waiting.set(id, callback);
  startTimer();
  return id;
};

window.cancelAnimationFrame = function cancelAnimationFrame(id) {
  waiting.delete(id);
  cancel(id);
};
