/// <reference lib="dom" />
/**
 * Tells a page that its images have loaded, although the engine loads none: many pages wait for that before they show
 * something, or load further images. This runs in the world of the page's own scripts.
 */
const { setTimeout, Element, Event, EventTarget, HTMLElement, HTMLImageElement, MutationObserver } = window;
const images = HTMLImageElement.prototype;

/** What pages test the browser's formats with, and what they show until an image is there, is one pixel wide. */
const PLACEHOLDER_SIZE = 1;
/** The size of an image that is not known, in pixels. */
const SIZE = { width: 300, height: 150 };

interface Load {
  isDone: boolean;
  done: Promise<void>;
}

/** The latest loads of images that the page waits for. */
const loads = new WeakMap<HTMLImageElement, Load>();

const hasSource = (image: HTMLImageElement): boolean =>
  Boolean(
    image.getAttribute("src") ||
      image.getAttribute("srcset") ||
      image.closest("picture")?.querySelector("[srcset]"),
  );

function load(image: HTMLImageElement): void {
  if (!hasSource(image)) {
    loads.delete(image);
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const latest: Load = { isDone: false, done: promise };
  loads.set(image, latest);
  setTimeout(() => {
    latest.isDone = true;
    resolve();
    if (loads.get(image) === latest) image.dispatchEvent(new Event("load"));
  });
}

const loadAll = (records: readonly MutationRecord[]) => {
  for (const image of new Set(records.map(({ target }) => target as HTMLImageElement))) load(image);
};
const sources = new MutationObserver(loadAll);

/** The load of an image that the page waits for, whenever the image gets another source. */
function loadOf(image: HTMLImageElement): Load | undefined {
  // What the page's current task has set is yet to be told.
  loadAll(sources.takeRecords());
  if (!loads.has(image)) {
    sources.observe(image, { attributeFilter: ["src", "srcset"] });
    load(image);
  }
  return loads.get(image);
}

const isLoaded = (image: HTMLImageElement): boolean => loadOf(image)?.isDone === true;

/** What the browser reports of an image, or else of one that counts as loaded. Proxies look like the browser's functions. */
function replaceGetter<K extends "complete" | "width" | "height" | "naturalWidth" | "naturalHeight">(
  name: K,
  whereLoaded: (image: HTMLImageElement) => HTMLImageElement[K],
): void {
  const property = Object.getOwnPropertyDescriptor(images, name) as PropertyDescriptor & {
    get: () => unknown;
  };
  const get = new Proxy(property.get, {
    apply: (native, image: HTMLImageElement) => {
      const value = Reflect.apply(native, image, []);
      return value || !isLoaded(image) ? value : whereLoaded(image);
    },
  });
  Object.defineProperty(images, name, { ...property, get });
}

const sizeOf = (image: HTMLImageElement, side: "width" | "height"): number =>
  image.getAttribute("src")?.startsWith("data:")
    ? PLACEHOLDER_SIZE
    : Number.parseInt(image.getAttribute(side) ?? "", 10) || SIZE[side];

/** As all elements have it. A library may have replaced it since. */
const handlerOf = (name: string) =>
  Object.getOwnPropertyDescriptor(HTMLElement.prototype, name) as Required<PropertyDescriptor>;

function replaceHandler(name: "onload" | "onerror"): void {
  const { get, set } = handlerOf(name);
  Object.defineProperty(images, name, {
    ...handlerOf(name),
    get: new Proxy(get, { apply: (_, image) => Reflect.apply(handlerOf(name).get, image, []) }),
    set: new Proxy(set, {
      apply: (_, image: HTMLImageElement, args: [unknown]) => {
        Reflect.apply(handlerOf(name).set, image, args);
        loadOf(image);
      },
    }),
  });
}

function install(): void {
  replaceGetter("complete", () => true);
  for (const side of ["width", "height"] as const) {
    replaceGetter(side, (image) => sizeOf(image, side));
    replaceGetter(side === "width" ? "naturalWidth" : "naturalHeight", (image) => sizeOf(image, side));
  }
  replaceHandler("onload");
  replaceHandler("onerror");
  images.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply: (_, image: HTMLImageElement, args: Parameters<EventTarget["addEventListener"]>) => {
      // A library may have replaced it since.
      Reflect.apply(EventTarget.prototype.addEventListener, image, args);
      if (args[0] === "load" || args[0] === "error") loadOf(image);
    },
  });
  images.decode = new Proxy(images.decode, {
    apply: (native, image: HTMLImageElement) => loadOf(image)?.done ?? Reflect.apply(native, image, []),
  });
  const begin = () => {
    loadNamed(document);
    added.observe(document, { childList: true, subtree: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}

const NAMED = "img[onload],img[onerror]";

/** Loads the images whose attributes have handlers, which no other part of this page's world is told of. */
function loadNamed(node: Document | Element): void {
  if (node instanceof HTMLImageElement && node.matches(NAMED)) loadOf(node);
  for (const image of node.querySelectorAll<HTMLImageElement>(NAMED)) loadOf(image);
}

const added = new MutationObserver((records) => {
  for (const { addedNodes } of records)
    for (const node of addedNodes) if (node instanceof Element) loadNamed(node);
});

// Evaluated twice where a page was open before its tab was.
if (!Object.hasOwn(images, "addEventListener")) install();
