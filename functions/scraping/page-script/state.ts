/// <reference lib="dom" />
import { noteErrors } from "./lists/load-error.ts";
import { MARK } from "./protocol.ts";
import { exists, knownShadowRoots } from "./query.ts";
import { ASK, type RestState, TELL } from "./rest-protocol.ts";
import { isReplaced, isStatic } from "./static.ts";

/** What may still change the document, and whether it has changed. */

/** Parts of a document whose changes show nothing. */
const UNSEEN = /^(?:SCRIPT|STYLE|LINK|HEAD|META|TITLE|BASE)$/;
const OBSERVED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
  characterDataOldValue: true,
};

let changes = 0;
/** Those of elements and texts. */
let contents = 0;
let lastChange = performance.now();
/** Whether the document has had dialogs. The browser tells in a frame that a dialog was closed, maybe after it was removed. */
let hasDialogs = false;
let told = { frames: 0, observes: 0, work: 0, asked: 0, moves: 0, wheels: 0, timerMs: 0 };
/** The numbers of changes at the last answer. */
let answered = { changes: -1, contents: 0 };

const isSeen = ({ target, attributeName }: MutationRecord) =>
  !UNSEEN.test(target.nodeName) && attributeName?.startsWith(MARK) !== true;

/** Whether elements or a text are other ones now: some pages write the same text again in each frame. */
function isOfContent({ type, target, oldValue, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type !== "childList") return type === "characterData" && target.nodeValue !== oldValue;
  const [added, removed] = [addedNodes[0], removedNodes[0]];
  const isOneText = added instanceof Text && removed instanceof Text && addedNodes.length === 1;
  return !isOneText || removedNodes.length > 1 || added.data !== removed.data;
}

const note = (records: readonly MutationRecord[]): void => {
  const seen = records.filter(isSeen);
  if (seen.length === 0) return;
  changes += seen.length;
  contents += seen.filter(isOfContent).length;
  lastChange = performance.now();
  noteErrors(seen);
};

const observer = new MutationObserver(note);
const watched = new WeakSet<Node>();

function watch(root: Node): void {
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, OBSERVED);
}

/** Starts to note changes, once the document is parsed: before that, everything changes. */
export function watchDocument(): void {
  document.addEventListener(TELL, (event) => {
    const detail = String((event as CustomEvent).detail)
      .split(" ")
      .map(Number);
    const [frames = 0, observes = 0, work = 0, asked = 0, moves = 0, wheels = 0, timerMs = 0] = detail;
    told = { frames, observes, work, asked, moves, wheels, timerMs };
  });
  if (document.readyState === "loading")
    document.addEventListener("readystatechange", () => watch(document), { once: true });
  else watch(document);
}

/**
 * The state of the document, which tells whether anything can still change it.
 * @param list the selector of the list that is about to be read
 */
export function state(list?: string): RestState {
  note(observer.takeRecords());
  const isLoading = document.readyState === "loading";
  const hasChanged = changes !== answered.changes;
  const hasOtherContent = contents !== answered.contents;
  answered = { changes, contents };
  const hasList = list !== undefined && exists(list);
  document.dispatchEvent(new Event(ASK));
  if (isStatic()) {
    const isFinal = document.readyState === "complete";
    return { ...AT_REST, isFinal, isLoading, hasChanged, hasOtherContent, timerMs: told.timerMs, hasList };
  }
  const roots = [document, ...knownShadowRoots()];
  for (const root of roots) watch(root);
  hasDialogs ||= roots.some((root) => root.querySelector("dialog") !== null);
  return {
    isFinal: false,
    isLoading,
    hasChanged,
    hasOtherContent,
    size: document.getElementsByTagName("*").length,
    quietMs: performance.now() - lastChange,
    ...told,
    observes: told.observes + Number(hasDialogs),
    timerMs: isReplaced(document) ? 0 : told.timerMs,
    animations: roots.flatMap(runningAnimations).length,
    hasList,
  };
}

/** The size of what nothing changes does not matter. */
const AT_REST = {
  size: 0,
  quietMs: Number.MAX_SAFE_INTEGER,
  frames: 0,
  observes: 0,
  work: 0,
  asked: 0,
  moves: 0,
  wheels: 0,
  animations: 0,
} as const;

/** Animations and transitions that are running and have an end. Those that keep their last state are over. */
const runningAnimations = (root: DocumentOrShadowRoot): Animation[] =>
  root.getAnimations().filter(({ effect, playState }) => {
    if (playState !== "running") return false;
    const { endTime = Number.POSITIVE_INFINITY } = effect?.getComputedTiming() ?? {};
    return Number.isFinite(Number(endTime));
  });
