/// <reference lib="dom" />
import { OBSERVED, SCROLL_TOLD } from "../protocol.ts";
import { ASK, TELL } from "../rest-protocol.ts";
import { nextTimerMs } from "./timers.ts";
import { type Around, wrap } from "./wrap.ts";

/**
 * Counts what waits for a frame, so that the engine draws frames only where something waits for them, and what takes real
 * time without a timer or a request: observers of sizes and positions, databases, caches, cryptography, and files that are
 * read.
 */

const { BroadcastChannel, CustomEvent, Element, EventTarget } = window;
const { querySelectorAll } = Element.prototype;
const { dispatchEvent, addEventListener } = EventTarget.prototype;

/** What the page's scripts wait for, beside timers and requests. */
const waiting = {
  /** Callbacks for the next frame. */
  frames: 0,
  /** How often the page has begun to observe sizes or positions, of which it is told only in frames. */
  observes: 0,
  /** Work of the browser, such as to read a database. */
  work: 0,
  /** Workers that were started, and messages to workers: their answers take real time. */
  asked: 0,
  /** How often all of the page has begun to listen to moves of the pointer, and to turns of its wheel. */
  moves: 0,
  wheels: 0,
};

/** The first signs of a person, by their events: a page may load its scripts only then, or take scrolls. */
const SIGNS = new Map<unknown, "moves" | "wheels">([
  ["mousemove", "moves"],
  ["mouseover", "moves"],
  ["pointermove", "moves"],
  ["pointerover", "moves"],
  ["wheel", "wheels"],
]);
const isWhole = (target: EventTarget): boolean =>
  target === window || target === document || target === document.documentElement || target === document.body;

/** Wraps the methods that give promises. Their answers come from other threads and processes. */
function wrapPromised(prototype: object): void {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  const names = methods.flatMap(([name, { value }]) => (typeof value === "function" ? [name] : []));
  wrap(
    prototype,
    names.filter((name) => name !== "constructor"),
    promised,
  );
}

/**
 * Prepares the class of what a property gives, before it is given for the first time: most pages use none of these, and
 * each costs time in every document. In a sandbox, some of them throw.
 */
function whenGot(target: object, name: string, prepare: (prototype: object) => void): void {
  const property = Object.getOwnPropertyDescriptor(target, name);
  if (!property?.get) return;
  const get = new Proxy(property.get, {
    apply(native, self, args) {
      const got = Reflect.apply(native, self, args);
      Object.defineProperty(target, name, property);
      if (got) prepare(Object.getPrototypeOf(got));
      return got;
    },
  });
  Object.defineProperty(target, name, { ...property, get });
}

const observed: Around = (call) => {
  waiting.observes += 1;
  return call();
};

/** Elements that the page wants to be told of when they come into view. */
const inView = new WeakSet<Element>();

/** What is told of scrolling. */
const scrolled = new WeakSet<EventTarget>();

/** The event of an element whose content the browser lays out only near the view. It bubbles. */
const NEAR_VIEW = "contentvisibilityautostatechange";
/** What is told of it. */
const listening = new WeakSet<EventTarget>();

function listen(target: EventTarget): void {
  listening.add(target);
  waiting.observes += 1;
}

/** Begins work. Returns what ends it, once. */
function begin(): () => void {
  waiting.work += 1;
  let isOver = false;
  return () => {
    if (!isOver) waiting.work -= 1;
    isOver = true;
  };
}

/** Work that ends when one of the events comes. */
function untilEvent(target: EventTarget, types: readonly string[]): void {
  const end = begin();
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
  const end = begin();
  result.then(end, end);
  return result;
};

/** Work that ends when a function is called that is an argument. */
const calledBack: Around = (call, _, args) => {
  let end = () => {};
  for (const [index, argument] of args.entries())
    if (typeof argument === "function")
      args[index] = (...results: unknown[]) => {
        end();
        return argument(...results);
      };
  const result = call();
  end = begin();
  return result;
};

/** Work that ends when the message has come back from the browser's own process. Another listener gets it, too. */
const broadcast: Around = (call, self) => {
  waiting.asked += 1;
  const echo = new BroadcastChannel((self as BroadcastChannel).name);
  const end = begin();
  echo.onmessage = () => {
    end();
    echo.close();
  };
  try {
    return call();
  } catch (error) {
    end();
    echo.close();
    throw error;
  }
};

const read: Around = (call, self) => {
  const result = call();
  if (self instanceof EventTarget) untilEvent(self, ["loadend"]);
  return result;
};

const SCROLLS = "scroll scrollBy scrollTo scrollIntoView scrollIntoViewIfNeeded scrollTop scrollLeft".split(
  " ",
);
wrap(window.ResizeObserver.prototype, ["observe"], observed);
wrap(window.IntersectionObserver.prototype, ["observe"], (call, _, [target]) => {
  if (target instanceof Element) inView.add(target);
  return observed(call, undefined, []);
});
wrap(window.IntersectionObserver.prototype, ["unobserve"], (call, _, [target]) => {
  if (target instanceof Element) inView.delete(target);
  return call();
});
// Proxies look like the browser's functions. A call without a target is about the window.
EventTarget.prototype.addEventListener = new Proxy(addEventListener, {
  apply(native, target: EventTarget | undefined, args) {
    if (args[0] === NEAR_VIEW) listen(target ?? window);
    const sign = SIGNS.get(args[0]);
    if (sign && isWhole(target ?? window)) waiting[sign] += 1;
    if (args[0] === "scroll" || args[0] === "scrollend") scrolled.add(target ?? window);
    return Reflect.apply(native, target, args);
  },
});
for (const target of [window, window.Document.prototype, window.HTMLElement.prototype])
  wrap(target, ["onscroll"], (call, self) => {
    scrolled.add((self as EventTarget | undefined) ?? window);
    return call();
  });
wrap(window.HTMLElement.prototype, [`on${NEAR_VIEW}`], (call, self) => {
  if (self instanceof EventTarget) listen(self);
  return call();
});
// A page is told that it was scrolled.
wrap(window.Element.prototype, SCROLLS, observed);
wrap(window, SCROLLS, observed);
whenGot(window, "indexedDB", (factory) => {
  wrapPromised(factory);
  wrap(factory, ["open", "deleteDatabase"], requested(["success", "error", "blocked"]));
  wrap(window.IDBDatabase.prototype, ["transaction"], requested(["complete", "abort"]));
});
whenGot(window, "caches", (storage) => {
  wrapPromised(storage);
  wrapPromised(window.Cache.prototype);
});
whenGot(window, "crypto", (crypto) => whenGot(crypto, "subtle", wrapPromised));
whenGot(window, "cookieStore", wrapPromised);
const { prototype: navigator } = window.Navigator;
whenGot(navigator, "permissions", wrapPromised);
whenGot(navigator, "storage", (manager) => {
  wrapPromised(manager);
  const { FileSystemHandle, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemWritableFileStream } =
    window;
  for (const { prototype } of [
    FileSystemHandle,
    FileSystemDirectoryHandle,
    FileSystemFileHandle,
    FileSystemWritableFileStream,
  ])
    wrapPromised(prototype);
});
for (const name of ["clipboard", "keyboard", "mediaCapabilities", "wakeLock"])
  whenGot(navigator, name, wrapPromised);
whenGot(navigator, "mediaDevices", (devices) => wrap(devices, ["enumerateDevices"], promised));
whenGot(navigator, "geolocation", (geolocation) => wrap(geolocation, ["getCurrentPosition"], calledBack));
// Whoever holds a lock may keep it for ever. Once the browser answers the next question, it has looked whether it is free.
whenGot(navigator, "locks", (manager) => {
  wrap(manager, ["query"], promised);
  wrap(manager, ["request"], (call, self) => {
    const result = call();
    (manager as LockManager).query.call(self as LockManager);
    return result;
  });
});
wrap(window.WebAssembly, ["compile", "instantiate", "compileStreaming", "instantiateStreaming"], promised);
wrapPromised(window.Response.prototype);
wrapPromised(window.Blob.prototype);
wrap(window, ["createImageBitmap"], promised);
wrap(window.HTMLImageElement.prototype, ["decode"], promised);
wrap(window.HTMLCanvasElement.prototype, ["toBlob"], calledBack);
wrap(window.OffscreenCanvas.prototype, ["convertToBlob"], promised);
wrap(window.OfflineAudioContext.prototype, ["startRendering"], promised);
wrap(window.BaseAudioContext.prototype, ["decodeAudioData"], promised);
wrap(window.Worklet?.prototype, ["addModule"], promised);
wrap(window.Notification, ["requestPermission"], promised);
wrap(
  window.PublicKeyCredential,
  [
    "isConditionalMediationAvailable",
    "isUserVerifyingPlatformAuthenticatorAvailable",
    "getClientCapabilities",
  ],
  promised,
);
wrap(window.BroadcastChannel.prototype, ["postMessage"], broadcast);
wrap(window.FileReader.prototype, ["readAsText", "readAsArrayBuffer", "readAsDataURL"], read);

const asked: Around = (call) => {
  waiting.asked += 1;
  return call();
};
let hasPorts = false;
wrap(window.Worker?.prototype, ["postMessage"], (call, self, args) => {
  const { transfer = args[1] } = Object(args[1]);
  // Whoever has the other port may ask the worker by it. Without a worker, libraries use channels to be called at once.
  if (!hasPorts && Array.isArray(transfer) && transfer.some((port) => port instanceof MessagePort)) {
    hasPorts = true;
    wrap(window.MessagePort.prototype, ["postMessage"], asked);
  }
  return asked(call, self, args);
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
  const { frames, observes, work, asked, moves, wheels } = waiting;
  const detail = `${frames} ${observes} ${work} ${asked} ${moves} ${wheels} ${nextTimerMs()}`;
  dispatchEvent.call(document, new CustomEvent(TELL, { detail }));
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
addEventListener.call(
  document,
  SCROLL_TOLD,
  (event) => {
    if (event.composedPath().some((at) => scrolled.has(at))) event.preventDefault();
  },
  true,
);
