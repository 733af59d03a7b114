/// <reference lib="dom" />

/** Calls `task` every `ms` milliseconds. Returns the function that stops it. */
function repeat(task: () => void, ms: number): () => void {
  if (!matchMedia("(scripting: none)").matches) {
    const timer = setInterval(task, ms);
    return () => clearInterval(timer);
  }
  // In a sandbox without scripts, no timer fires, not even in an isolated world.
  let since = performance.now();
  let isOn = true;
  const frame = () => {
    if (!isOn) return;
    requestAnimationFrame(frame);
    if (performance.now() - since < ms) return;
    since = performance.now();
    task();
  };
  requestAnimationFrame(frame);
  return () => {
    isOn = false;
  };
}

/** Resolves to whether `check` became true within `ms`. It is called again whenever the document changes. */
export const until = (check: () => boolean, ms: number): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    if (check()) {
      resolve(true);
      return;
    }
    const look = () => {
      try {
        if (check()) finish(true);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    // Style sheets and the like that load, or fail to.
    document.addEventListener("load", look, true);
    document.addEventListener("error", look, true);
    // Changes inside a shadow root or by a style sheet alone are not observed.
    const stopPolling = repeat(look, 100);
    const stopTimer = repeat(() => finish(check()), ms);
    const stop = () => {
      observer.disconnect();
      document.removeEventListener("load", look, true);
      document.removeEventListener("error", look, true);
      stopPolling();
      stopTimer();
    };
    const finish = (value: boolean) => {
      stop();
      resolve(value);
    };
  });

/** A server may pause for this long in the middle of a page: the rows behind the pause must not be lost. */
const PAUSE_MS = 250;
const PAUSES = 12;

/** Resolves when the document is parsed, or when `enough` is true and the document has stopped growing, or after `ms`. */
export function parsed(enough: () => boolean, ms: number): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    let size = -1;
    let still = 0;
    const finish = () => {
      stopWatching();
      stopTimer();
      document.removeEventListener("DOMContentLoaded", finish);
      resolve();
    };
    // A response that never ends keeps a document loading forever.
    const stopWatching = repeat(() => {
      const now = document.getElementsByTagName("*").length;
      still = now === size ? still + 1 : 0;
      size = now;
      if (still >= PAUSES && enough()) finish();
    }, PAUSE_MS);
    const stopTimer = repeat(finish, ms);
    document.addEventListener("DOMContentLoaded", finish);
  });
}
