/// <reference lib="dom" />
/**
 * Adapts browser functions that use real time to a page whose clock is ahead, and opens closed shadow roots. This runs in
 * the world of the page's own scripts.
 */
import { IDLE_MS } from "../../timing.ts";
import "./work.ts";

/*
 * Pages work without shared workers, because browsers on Android don't have them either. The engine can't know when such a
 * worker is done: it belongs to no page, runs in real time, and its requests are not a page's requests.
 */
Reflect.deleteProperty(window, "SharedWorker");

/*
 * Replaces idle callbacks by timers. The browser ends the idle part of a frame by the real time. A page whose clock is
 * ahead of that never gets any.
 */
const { requestIdleCallback: request, setTimeout, clearTimeout, performance } = window;

const timers = new Map<number, number>();
let last = 0;

window.requestIdleCallback = function requestIdleCallback(callback, options) {
  // Throws.
  if (typeof callback !== "function") return request(callback, options);
  last += 1;
  const id = last;
  const end = performance.now() + (options?.timeout || Number.POSITIVE_INFINITY);
  const call = () => {
    const now = performance.now();
    if (document.readyState === "loading" && now < end) {
      timers.set(id, setTimeout(call, IDLE_MS.parsed));
      return;
    }
    timers.delete(id);
    callback({
      didTimeout: now >= end,
      timeRemaining: () => Math.max(0, now + IDLE_MS.most - performance.now()),
    });
  };
  timers.set(id, setTimeout(call, IDLE_MS.delay));
  return id;
};

window.cancelIdleCallback = function cancelIdleCallback(id) {
  clearTimeout(timers.get(id));
  timers.delete(id);
};

/*
 * Opens the closed shadow roots that the page's scripts attach, so that selectors and texts reach what they show. For the
 * page's own scripts, they stay closed. Proxies look like the browser's functions.
 */
const { Element, ShadowRoot } = window;

const closed = new WeakSet<ShadowRoot>();

/** @param read what the page's scripts get in place of a value that the browser gives for an object */
function replaceGetter<T extends object>(
  prototype: T,
  name: keyof T & string,
  read: (value: unknown, self: T) => unknown,
): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name) as Required<PropertyDescriptor>;
  const get = new Proxy(property.get, {
    apply: (native, self: T) => read(Reflect.apply(native, self, []), self),
  });
  Object.defineProperty(prototype, name, { ...property, get });
}

Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
  apply(native, element: Element, args: [ShadowRootInit?]) {
    const [options] = args;
    if (options?.mode !== "closed") return Reflect.apply(native, element, args);
    const root = Reflect.apply(native, element, [{ ...options, mode: "open" }]);
    closed.add(root);
    return root;
  },
});
replaceGetter(Element.prototype, "shadowRoot", (root) => (closed.has(root as ShadowRoot) ? null : root));
replaceGetter(ShadowRoot.prototype, "mode", (mode, root) => (closed.has(root) ? "closed" : mode));
