/// <reference lib="dom" />
/**
 * Gives frames the page's own time. The browser gives them the real time, and the same one again until it has caught up
 * with a page whose clock is ahead: an animation that counts its time by frames would stand still.
 */
const { requestAnimationFrame: request, performance } = window;

/** Where the clock is not ahead, a frame began shorter than this ago, in ms. */
const LATE_MS = 100;

/** The time of the last frame: the next one is never earlier. */
let last = 0;

window.requestAnimationFrame = function requestAnimationFrame(callback) {
  // Throws.
  if (typeof callback !== "function") return request(callback);
  return request((time) => {
    const now = performance.now();
    last = now - time > LATE_MS || time < last ? now : time;
    callback(last);
  });
};
