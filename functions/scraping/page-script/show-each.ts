/// <reference lib="dom" />
import { IN_VIEW, VIEWS } from "../limits.ts";
import { settle } from "./host.ts";
import { releaseLayout } from "./layout.ts";
import { knownShadowRoots } from "./query.ts";
import { parentOf, scrollerOf } from "./scroller.ts";

/** The browser tells of an element at each of these parts of it that comes into view. */
const THRESHOLDS = Array.from({ length: 21 }, (_, index) => index / 20);

interface ShowOptions {
  /** The elements that wait to come into view. Others are only shown as long as that changes something. */
  waiting: ReadonlySet<Element>;
  /** The most views to scroll through, and the most of them in a row without any change. */
  views?: number;
  inVain?: number;
  /** Whether there was a change; by default, whether the elements or what holds them all changed. */
  hasChanged?: () => boolean;
  /** Called with each view at rest, and at the end. */
  atRest: () => void;
}

interface Shown {
  /** Whether the elements, or what holds them all, changed meanwhile. */
  hasChanged: boolean;
  /** Whether there were more views than allowed, or than there was time for. */
  isCut: boolean;
}

/** Whether there is no time for more views. The page can't measure that, because its time passes faster than real time. */
let isStopped = false;

/** Ends `showEach` with the view that is shown. */
export function stopShowing(): void {
  isStopped = true;
}

/** Brings elements into view one after another, like a person who reads a list. */
export async function showEach(
  elements: readonly Element[],
  { waiting, views = Number.POSITIVE_INFINITY, inVain = VIEWS.same, ...options }: ShowOptions,
): Promise<Shown> {
  isStopped = false;
  releaseLayout();
  const { atRest } = options;
  const changes = watch(elements);
  const hasChangedYet = options.hasChanged ?? changes.any;
  const inView = watchView(elements);
  await settle({ scrolled: true });
  const positions = new Map<Element, { left: number; top: number }>();
  let shown = 0;
  let waited = 0;
  let isCut = false;
  for (const element of elements) {
    if (inView.has(element)) continue;
    const isWaiting = waiting.has(element);
    if ((isWaiting ? waited : shown) >= inVain && !hasChangedYet()) {
      if (isWaiting) break;
      continue;
    }
    const box = boxOf(element);
    if (!box) continue;
    if (shown === views || isStopped) {
      isCut = true;
      break;
    }
    keepPositions(box, positions);
    show(box);
    shown += 1;
    if (isWaiting) waited += 1;
    await settle({ scrolled: true });
    atRest();
  }
  inView.stop();
  const hasChanged = hasChangedYet();
  changes.stop();
  for (const [box, position] of positions) box.scrollTo({ ...position, behavior: "instant" });
  if (positions.size > 0) await settle({ scrolled: true });
  // What is in view now may begin anew.
  if (hasChanged) atRest();
  return { hasChanged, isCut };
}

/** The element, or its first child, that has a box on the page. */
function boxOf(element: Element): Element | undefined {
  const hasPlace = (one: Element) => one.getClientRects().length > 0;
  if (hasPlace(element)) return element;
  return [...element.children].find(hasPlace);
}

function show(box: Element): void {
  box.scrollIntoView({ block: "start", inline: "start", behavior: "instant" });
  const scroller = scrollerOf([box]);
  const { position } = scroller;
  scroller.scrollTo(Math.min(position, scroller.startOf(box) - IN_VIEW.top * scroller.view));
}

/** Notes how far each box around an element is scrolled. */
function keepPositions(element: Element, positions: Map<Element, { left: number; top: number }>): void {
  for (let at = parentOf(element); at && !positions.has(at); at = parentOf(at))
    positions.set(at, { left: at.scrollLeft, top: at.scrollTop });
}

/** Watches for changes of elements, and of what holds them all. */
function watch(elements: readonly Element[]): { any(): boolean; stop(): void } {
  const isOwn = ownershipOf(elements);
  const isInShadow = (target: Node) => target.getRootNode() instanceof ShadowRoot;
  let hasChanged = false;
  const observer = new MutationObserver((records) => {
    hasChanged ||= records.some(({ target }) => isOwn(target) || isInShadow(target));
  });
  const options = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of [document, ...knownShadowRoots()]) observer.observe(root, options);
  return {
    any: () => hasChanged || elements.some((element) => !element.isConnected),
    stop: () => observer.disconnect(),
  };
}

/** Watches which elements have been in view. */
function watchView(elements: readonly Element[]): { has(element: Element): boolean; stop(): void } {
  const seen = new WeakSet<Element>();
  const elementOf = new WeakMap<Element, Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRect, boundingClientRect, rootBounds } of entries) {
        const height = Math.min(boundingClientRect.height, rootBounds?.height ?? boundingClientRect.height);
        // What only touches the edge of a view intersects it, too.
        const isBeside = boundingClientRect.width > 0 && intersectionRect.width === 0;
        if (isIntersecting && !isBeside && intersectionRect.height >= IN_VIEW.shown * height)
          seen.add(elementOf.get(target) ?? target);
      }
    },
    { threshold: THRESHOLDS },
  );
  for (const element of elements) {
    const box = boxOf(element) ?? element;
    elementOf.set(box, element);
    observer.observe(box);
  }
  return { has: (element) => seen.has(element), stop: () => observer.disconnect() };
}

/** Tells whether a node is in one of the elements, or holds the first or last. The page as a whole has styles of its own. */
function ownershipOf(elements: readonly Element[]): (target: Node) => boolean {
  const own = new WeakSet<Node>(elements);
  const ends = [elements[0], elements.at(-1)].filter((end) => end !== undefined);
  return (target) => {
    if (target === document.body || target === document.documentElement) return false;
    if (ends.some((end) => target.contains(end))) return true;
    for (let at: Node | null = target; at; at = at.parentNode) if (own.has(at)) return true;
    return false;
  };
}
