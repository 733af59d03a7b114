/// <reference lib="dom" />
import { OBSERVED } from "../protocol.ts";
import { ASK, TELL } from "../rest-protocol.ts";

/**
 * Counts what waits for a frame, so that the engine draws frames only where something waits for them, and what takes real
 * time without a timer or a request: observers of sizes and positions, databases, caches, cryptography, and files that are
 * read.
 */

const { CustomEvent, Element, EventTarget } = window;
const { querySelectorAll } = Element.prototype;
const { dispatchEvent, addEventListener } = EventTarget.prototype;

/** What the page's scripts wait for, beside timers and requests. */
const waiting = {
  /** Callbacks for the next frame. */
  frames: 0,
  /** Whether the page is told of sizes or positions, which happens only in frames. */
  observes: 0,
  /** Work of the browser, such as to read a database. */
  work: 0,
  /** Workers that were started, and messages to workers: their answers take real time. */
  asked: 0,
};

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** What is done around a call of a method of `self`. */
type Around = (call: () => unknown, self: unknown, args: unknown[]) => unknown;

/** Wraps methods and setters. What a browser or a page does not have is left out. */
function wrap(prototype: object | undefined, names: readonly string[], around: Around): void {
  for (const name of names) {
    const property = prototype && Object.getOwnPropertyDescriptor(prototype, name);
    const method = (property?.value ?? property?.set) as Method | undefined;
    if (!prototype || !property || typeof method !== "function") continue;
    const { [name]: value } = {
      [name](this: unknown, ...args: unknown[]) {
        return around(() => method.apply(this, args), this, args);
      },
    };
    Object.defineProperty(value, "length", { value: method.length });
    const replaced: PropertyDescriptor = property.set
      ? { ...property, set: value as (argument: unknown) => void }
      : { ...property, value };
    Object.defineProperty(prototype, name, replaced);
  }
}

const observed: Around = (call) => {
  waiting.observes = 1;
  return call();
};

/** Elements that the page wants to be told of when they come into view. */
const inView = new WeakSet<Element>();

/** The event of an element whose content the browser lays out only near the view. It bubbles. */
const NEAR_VIEW = "contentvisibilityautostatechange";
/** What is told of it. */
const listening = new WeakSet<EventTarget>();

function listen(target: EventTarget): void {
  listening.add(target);
  waiting.observes = 1;
}

/** Work that ends when one of the events comes. */
function untilEvent(target: EventTarget, types: readonly string[]): void {
  waiting.work += 1;
  let isOver = false;
  const end = () => {
    if (!isOver) waiting.work -= 1;
    isOver = true;
  };
  for (const type of types) addEventListener.call(target, type, end);
}

/** For methods that return a target of events. */
const requested =
  (types: readonly string[]): Around =>
  (call) => {
    const result = call();
    if (result instanceof EventTarget) untilEvent(result, types);
    return result;
  };

const promised: Around = (call) => {
  const result = call();
  if (!(result instanceof Promise)) return result;
  waiting.work += 1;
  const end = () => {
    waiting.work -= 1;
  };
  result.then(end, end);
  return result;
};

const read: Around = (call, self) => {
  const result = call();
  if (self instanceof EventTarget) untilEvent(self, ["loadend"]);
  return result;
};

const SCROLLS = "scroll scrollBy scrollTo scrollIntoView scrollIntoViewIfNeeded scrollTop scrollLeft".split(
  " ",
);
const CIPHERS = "encrypt decrypt sign verify digest deriveBits deriveKey generateKey".split(" ");

wrap(window.ResizeObserver.prototype, ["observe"], observed);
wrap(window.IntersectionObserver.prototype, ["observe"], (call, _, [target]) => {
  if (target instanceof Element) inView.add(target);
  waiting.observes = 1;
  return call();
});
wrap(window.IntersectionObserver.prototype, ["unobserve"], (call, _, [target]) => {
  if (target instanceof Element) inView.delete(target);
  return call();
});
// Proxies look like the browser's functions. A call without a target is about the window.
EventTarget.prototype.addEventListener = new Proxy(addEventListener, {
  apply(native, target: EventTarget | undefined, args) {
    if (args[0] === NEAR_VIEW) listen(target ?? window);
    return Reflect.apply(native, target, args);
  },
});
wrap(window.HTMLElement.prototype, [`on${NEAR_VIEW}`], (call, self) => {
  if (self instanceof EventTarget) listen(self);
  return call();
});
// A page is told that it was scrolled.
wrap(window.Element.prototype, SCROLLS, observed);
wrap(window, SCROLLS, observed);
wrap(window.IDBFactory.prototype, ["open"], requested(["success", "error", "blocked"]));
wrap(window.IDBDatabase.prototype, ["transaction"], requested(["complete", "abort"]));
// Without a secure origin, there are no caches, and no cryptography. In a sandbox, reading `window.caches` throws.
wrap(window.SubtleCrypto?.prototype, CIPHERS, promised);
wrap(window.CacheStorage?.prototype, ["open", "match"], promised);
wrap(window.Cache?.prototype, ["match", "matchAll", "put"], promised);
wrap(window.WebAssembly, ["compile", "instantiate", "compileStreaming", "instantiateStreaming"], promised);
wrap(window.Response.prototype, ["text", "json", "arrayBuffer", "blob", "formData"], promised);
wrap(window.Permissions?.prototype, ["query"], promised);
wrap(window, ["createImageBitmap"], promised);
wrap(window.Blob.prototype, ["text", "arrayBuffer"], promised);
wrap(window.FileReader.prototype, ["readAsText", "readAsArrayBuffer", "readAsDataURL"], read);

wrap(window.Worker?.prototype, ["postMessage"], (call) => {
  waiting.asked += 1;
  return call();
});
if (window.Worker)
  window.Worker = new Proxy(window.Worker, {
    construct(native, args, self) {
      waiting.asked += 1;
      return Reflect.construct(native, args, self);
    },
  });

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

addEventListener.call(document, "DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(`[on${NEAR_VIEW}]`)) listen(element);
  // A new document focuses its element with `autofocus` in a frame, for which nobody else may ask.
  if (document.querySelector("[autofocus]")) window.requestAnimationFrame(() => {});
});

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

addEventListener.call(document, ASK, () => {
  const { frames, observes, work, asked } = waiting;
  dispatchEvent.call(document, new CustomEvent(TELL, { detail: `${frames} ${observes} ${work} ${asked}` }));
});
addEventListener.call(
  document,
  OBSERVED,
  (event) => {
    const [element, ...around] = event.composedPath() as [Element, ...EventTarget[]];
    const within = [element, ...querySelectorAll.call(element, "*")];
    const isObserved =
      around.some((at) => listening.has(at)) || within.some((at) => inView.has(at) || listening.has(at));
    if (isObserved) event.preventDefault();
  },
  true,
);
