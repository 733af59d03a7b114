/// <reference lib="dom" />
import { ANIMATION_ROUNDS, endAnimations, runningAnimations } from "./animations.ts";
import { allowFading, isOwnSheet, releaseLayout } from "./layout.ts";
import { observesLayout, waitForWork } from "./page-work.ts";
import { MARK } from "./protocol.ts";
import { knownShadowRoots } from "./query.ts";
import { isStatic } from "./static.ts";
import { countRules } from "./text/style-rules.ts";
import { delay, waitForNextTask, waitFrames } from "./waiting.ts";

/** A page counts as at rest after REST_FRAMES frames without changes. At most MOST_FRAMES are waited for. */
const REST_FRAMES = 3;
const MOST_FRAMES = 40;
/** The same of frames in which the page's time stands still, and of others. */
const ALL_FRAMES = 400;
/** In the first of these, observers look at the page; after it, they are told, and may change the page. */
const OBSERVED_FRAMES = 2;
/** How much time what follows an animation may take, in ms. */
const AFTER_MS = 100;

/** The style sheets of the document by their sizes: rules that a script adds or removes are no changes of the document. */
export const styles = (): string =>
  [...document.styleSheets, ...document.adoptedStyleSheets]
    .filter((sheet) => !isOwnSheet(sheet))
    .map((sheet) => (sheet.disabled ? "" : rulesOf(sheet)))
    .join();

function rulesOf(sheet: CSSStyleSheet): number {
  try {
    return countRules(sheet);
  } catch {
    // A style sheet of another origin can't be read, nor changed by a script.
    return 0;
  }
}

/** Changes of the document since `watchChanges` was called, those of its content alone, and those of what was read. */
let changes = 0;
let contentChanges = 0;
let ownChanges = 0;
/** Whether something belongs to what was read. */
let isOwn = ownershipOf([]);
let watchedSince = 0;
let stylesBefore = "";

const isMark = ({ attributeName }: MutationRecord) => attributeName?.startsWith(MARK) === true;

const count = (all: readonly MutationRecord[]) => {
  const records = all.filter((record) => !isMark(record));
  changes += records.length;
  contentChanges += records.filter(({ type }) => type !== "attributes").length;
  if (records.some(({ target }) => isOwn(target))) ownChanges += 1;
};

/** Tells whether a node is in one of the elements, or holds the first or last. The page as a whole has styles of its own. */
export function ownershipOf(elements: readonly Element[]): (target: Node) => boolean {
  const own = new WeakSet<Node>(elements);
  const ends = [elements[0], elements.at(-1)].filter((end) => end !== undefined);
  return (target) => {
    if (target === document.body || target === document.documentElement) return false;
    if (ends.some((end) => target.contains(end))) return true;
    for (let at: Node | null = target; at; at = at.parentNode) if (own.has(at)) return true;
    return false;
  };
}

const observer = new MutationObserver(count);
/** Whether the document is watched since `watchChanges`; `changed` ends that. */
let isWatching = false;

interface WatchOptions {
  /** What was read. */
  of?: readonly Element[];
  /** Whether the document goes on to be watched, if it is. */
  isContinued?: boolean | undefined;
}

/**
 * Watches a document that its scripts may still change after it is read. To be called when it is read; before it is marked,
 * too, because what is read depends on the marks.
 */
export function watchChanges({ of = [], isContinued = false }: WatchOptions = {}): void {
  watchedSince = performance.now();
  isOwn = ownershipOf(of);
  if (isContinued && isWatching) return;
  isWatching = true;
  observer.disconnect();
  changes = 0;
  stylesBefore = styles();
  // The rest of a document may still arrive.
  if (isStatic() && document.readyState !== "loading") return;
  for (const root of [document, ...knownShadowRoots()])
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

/**
 * Whether the document has changed within `ms` of its time since it was read, or in the frames and animations that
 * follow.
 */
export async function changed({ ms }: { ms: number }): Promise<boolean> {
  allowFading();
  // These may end meanwhile; the page is told of that in a later frame.
  const animations = new Set(runningAnimations());
  if (observesLayout()) await waitFrames(OBSERVED_FRAMES);
  await delay(watchedSince + ms - performance.now(), 1);
  noteAnimations(animations);
  await waitForFrameCallbacks();
  // Without layout, no transition runs.
  if (changes > 0) releaseLayout();
  await waitUntilAtRest();
  for (let round = 0; round < ANIMATION_ROUNDS; round += 1) {
    noteAnimations(animations);
    if (animations.size === 0) break;
    await endAnimations(animations);
    animations.clear();
    await delay(AFTER_MS);
    await waitUntilAtRest();
  }
  count(observer.takeRecords());
  observer.disconnect();
  isWatching = false;
  return changes > 0 || styles() !== stylesBefore;
}

function noteAnimations(animations: Set<Animation>): void {
  for (const animation of runningAnimations()) animations.add(animation);
}

/**
 * Resolves when the page's observers have been told of the last frame, its work has ended, and view transitions have changed
 * the document.
 */
async function waitForFrameCallbacks(): Promise<void> {
  await waitForNextTask();
  if (observesLayout()) await waitFrames(OBSERVED_FRAMES);
  await waitForWork();
  for (let frame = 0; document.activeViewTransition && frame < MOST_FRAMES; frame += 1) await waitFrames(1);
}

async function waitUntilAtRest(): Promise<void> {
  let rest = changes > 0 ? 0 : REST_FRAMES;
  for (let [frame, moved] = [0, 0]; rest < REST_FRAMES && frame < ALL_FRAMES; frame += 1) {
    if (moved >= MOST_FRAMES) return;
    const [content, own, now] = [contentChanges, ownChanges, performance.now()];
    await waitFrames(1);
    const isMoved = contentChanges > content || ownChanges > own;
    if (isMoved) rest = 0;
    // While the page's time stands still, nothing can move.
    else if (performance.now() > now) rest += 1;
    if (isMoved || performance.now() > now) moved += 1;
  }
}
