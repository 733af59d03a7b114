/// <reference lib="dom" />

/** In a sandbox without scripts, no timer fires, not even in an isolated world. */
const hasTimers = () => !matchMedia("(scripting: none)").matches;

/** Calls `task` every `ms` milliseconds. Returns the function that stops it. */
function repeat(task: () => void, ms: number): () => void {
  if (hasTimers()) {
    const timer = setInterval(task, ms);
    return () => clearInterval(timer);
  }
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

/** A page may take this many frames to show what its scripts have done, which the browser draws in real time. */
export const FRAMES = 6;
/** After how many rounds a wait ends even though the page still changes, and how long the later ones take, in ms. */
const ROUNDS = 2;
const ROUND_MS = 500;

/** Whether the browser draws the page: not in the background, and maybe not while it loads. */
const isDrawn = () => !document.hidden && document.readyState !== "loading";

/** Resolves after `count` frames. */
export async function waitFrames(count: number): Promise<void> {
  for (let left = count; left > 0 && isDrawn(); left -= 1)
    await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Resolves after the tasks that are due now, such as those that tell observers of a frame. */
export const waitForNextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Resolves to whether `check` became true within `ms` of the page's time. It is called again whenever the document
 * changes. As the page's time may pass much faster than real time, a document that still changes gets more of it.
 */
export const waitUntil = (check: () => boolean, ms: number): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    if (check()) {
      resolve(true);
      return;
    }
    let isOver = false;
    let hasChanged = false;
    const look = () => {
      try {
        if (!isOver && check()) finish(true);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const observer = new MutationObserver(() => {
      hasChanged = true;
      look();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    // Style sheets and the like that load, or fail to.
    document.addEventListener("load", look, true);
    document.addEventListener("error", look, true);
    document.addEventListener("readystatechange", look);
    // Changes inside a shadow root or by a style sheet alone are not observed.
    const stopPolling = repeat(look, 100);
    let stopTimer = () => {};
    const wait = (ms: number, round: number) => {
      hasChanged = false;
      stopTimer = repeat(async () => {
        stopTimer();
        await waitFrames(FRAMES);
        look();
        if (isOver) return;
        if (hasChanged && round < ROUNDS) wait(Math.min(ms, ROUND_MS), round + 1);
        else finish(false);
      }, ms);
    };
    const stop = () => {
      isOver = true;
      observer.disconnect();
      document.removeEventListener("load", look, true);
      document.removeEventListener("error", look, true);
      document.removeEventListener("readystatechange", look);
      stopPolling();
      stopTimer();
    };
    const finish = (value: boolean) => {
      stop();
      resolve(value);
    };
    wait(ms, 1);
  });

const timer = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = repeat(() => {
      stop();
      resolve();
    }, ms);
  });

/** The time of a frame, in ms. */
const FRAME_MS = 16;

/** Resolves after `count` frames, and after as much of the page's time: scripts draw by frames or by timers. */
export async function waitFramesAndTime(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await Promise.all([timer(FRAME_MS), waitFrames(1)]);
}

/** Lets `ms` of the page's time pass, and what that brings appear. */
export async function delay(ms: number, count = 2): Promise<void> {
  await timer(ms);
  await waitFrames(count);
}

/** A server may pause for this long in the middle of a page: the rows behind the pause must not be lost. */
const PAUSE_MS = 250;
const PAUSES = 12;
/** From so many elements on, the parser gets the time to drop the text of the document: that is 100 MB for 100,000 rows. */
const LARGE = 50_000;

/** Whether the parser waits for a script to load: it is the last element so far. */
const isBlocked = () => {
  const last = document.scripts[document.scripts.length - 1];
  return (
    last !== undefined &&
    last.src !== "" &&
    !last.async &&
    !last.defer &&
    last.type !== "module" &&
    !last.nextElementSibling &&
    performance.getEntriesByName(last.src, "resource").length === 0
  );
};

/** Resolves when the document is parsed, or when `enough` is true and the document has stopped growing, or after `ms`. */
export function waitUntilParsed(enough: () => boolean, ms: number): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    let size = -1;
    let still = 0;
    const finish = async () => {
      stopWatching();
      stopTimer();
      document.removeEventListener("DOMContentLoaded", finish);
      if (hasTimers() && document.getElementsByTagName("*").length >= LARGE) await timer(1);
      resolve();
    };
    // A response that never ends keeps a document loading forever.
    const stopWatching = repeat(() => {
      const now = document.getElementsByTagName("*").length;
      still = now === size && !isBlocked() ? still + 1 : 0;
      size = now;
      if (still >= PAUSES && enough()) finish();
    }, PAUSE_MS);
    const stopTimer = repeat(finish, ms);
    document.addEventListener("DOMContentLoaded", finish);
  });
}
