/// <reference lib="dom" />
/** Counts what waits for a frame. The engine draws frames only where something waits for them. */
import { waiting } from "./waiting.ts";

const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = window;
const resolved = window.Promise.resolve();
const ids = new Set<number>();

window.requestAnimationFrame = function requestAnimationFrame(callback) {
  // Throws.
  if (typeof callback !== "function") return request(callback);
  const id = request((time) => {
    forget(id);
    callback(time);
  });
  ids.add(id);
  waiting.frames = ids.size;
  return id;
};

window.cancelAnimationFrame = function cancelAnimationFrame(id) {
  forget(id);
  cancel(id);
};

function forget(id: number): void {
  ids.delete(id);
  waiting.frames = ids.size;
}

/** Nothing is drawn, so nothing fades from one drawing to another. */
if (document.startViewTransition) {
  document.startViewTransition = (options) => {
    const update = typeof options === "function" ? options : options?.update;
    const done = resolved.then(update ?? (() => {})) as Promise<undefined>;
    return {
      updateCallbackDone: done,
      ready: done,
      finished: done,
      skipTransition() {},
    } as unknown as ViewTransition;
  };
}
