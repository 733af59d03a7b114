/// <reference lib="dom" />
import type { Agent } from "./agent.ts";

/** Waiting for what the page does. */
export function installWatch(agent: Agent): void {
  const drop = (sheet: CSSStyleSheet | undefined) => {
    if (sheet) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
  agent.layoutIsHeld = () => agent.holdSheet !== undefined;
  agent.releaseLayout = () => {
    drop(agent.holdSheet);
    agent.holdSheet = undefined;
  };

  let veil: CSSStyleSheet | undefined;
  agent.stopDrawing = () => {
    // A frame of another page is only released with that page.
    if (veil || globalThis.top !== globalThis.self) return;
    veil = new CSSStyleSheet();
    // The whole document's opacity would still be drawn.
    veil.replaceSync("body{opacity:0!important}");
    document.adoptedStyleSheets.push(veil);
  };
  agent.release = () => {
    agent.releaseLayout();
    drop(veil);
    veil = undefined;
  };

  /** Does something again and again; the function that stops it. */
  const repeat = (task: () => void, ms: number): (() => void) => {
    if (!matchMedia("(scripting: none)").matches) {
      const timer = setInterval(task, ms);
      return () => clearInterval(timer);
    }
    // In a sandbox without scripts no timer ever fires, ours neither.
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
  };

  agent.until = (check, ms) =>
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
      // Style sheets and the like that arrive, or fail to.
      document.addEventListener("load", look, true);
      document.addEventListener("error", look, true);
      // What changes inside a shadow root or by a style alone is not observed.
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

  /** A server may fall silent for so long in the middle of a page: rows behind that must not be lost. */
  const PAUSE_MS = 250;
  const PAUSES = 12;

  agent.parsed = (enough, ms) => {
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
      // An answer that never ends keeps a document loading for ever: enough is enough once nothing more comes.
      const stopWatching = repeat(() => {
        const now = document.getElementsByTagName("*").length;
        still = now === size ? still + 1 : 0;
        size = now;
        if (still >= PAUSES && enough()) finish();
      }, PAUSE_MS);
      const stopTimer = repeat(finish, ms);
      document.addEventListener("DOMContentLoaded", finish);
    });
  };
}
