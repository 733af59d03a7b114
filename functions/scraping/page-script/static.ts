/// <reference lib="dom" />

/**
 * Elements with a script that runs without anybody's doing, in an attribute. Those that have none are most of a page, and
 * quick to exclude.
 */
export const HANDLERS =
  ":not(td,tr,th,a,li,div,span,p,b,i,em,strong,small,h1,h2,h3,h4,ul,dl,dt,dd,article,section,time,label):is([onload]," +
  "[onerror],[onpageshow],[onresize],[onscroll],[onfocus],[ontoggle],[onanimationstart],[onanimationend],[ontransitionend])";

/** Parsed documents without such elements: where no script runs, none is added. */
const withoutHandlers = new WeakSet<Document>();

function hasHandlers(page: Document): boolean {
  if (withoutHandlers.has(page)) return false;
  const isFound = page.querySelector(HANDLERS) !== null;
  if (!isFound && page.readyState !== "loading") withoutHandlers.add(page);
  return isFound;
}

/** Scripts that run; others hold data. */
export const SCRIPTS = 'script:not([type*=json],[type*=template],[type^="text/plain"],[type^="text/html"])';

/** Documents that have had scripts. A script may remove its own element, and go on to run. */
const withScripts = new WeakSet<Document>();

function hasScripts(page: Document): boolean {
  if (withScripts.has(page)) return true;
  const isFound = [...page.scripts].some((script) => script.matches(SCRIPTS)) || hasHandlers(page);
  if (isFound) withScripts.add(page);
  return isFound;
}

/** Notes the scripts of this document when it is parsed, before their timers run. */
export const watchScripts = (): void =>
  document.addEventListener("readystatechange", () => void hasScripts(document));

/** By the tag's name, which the browser looks up once for each version of a document. */
export const isReplaced = (page: Document): boolean =>
  [...page.getElementsByTagName("meta")].some(
    (meta) => meta.getAttribute("http-equiv")?.toLowerCase() === "refresh",
  );

/** The document of a window; undefined where it is of another origin. */
function documentOf(view: Window): Document | undefined {
  try {
    return view.document;
  } catch {
    return undefined;
  }
}

/** All windows of the tab: the page's own and those of its frames. */
function windowsOfTab(): Window[] {
  const views = [window.top ?? window];
  for (const view of views)
    for (let index = 0; index < view.length; index += 1) views.push(view[index] as Window);
  return views;
}

/** Whether a window is around this one: it can load another document here, whatever its origin. */
function isAround(view: Window): boolean {
  for (let at: Window = window; at !== at.parent; at = at.parent) if (at.parent === view) return true;
  return false;
}

/** Whether this document has scripts that may run. */
const runsScripts = (): boolean => !matchMedia("(scripting: none)").matches && hasScripts(document);

/**
 * Whether nothing changes this document by itself: neither it nor a document that can reach it runs scripts, and no
 * other one takes its place.
 */
export function isStatic(): boolean {
  if (runsScripts() || isReplaced(document)) return false;
  // What its frames are is not known yet.
  if (window.length > 0 && document.readyState !== "complete") return false;
  return windowsOfTab().every((view) => {
    if (view === window) return true;
    const other = documentOf(view);
    return other === undefined
      ? !isAround(view)
      : !hasScripts(other) && !(isAround(view) && isReplaced(other));
  });
}

/** Whether nothing can change this document any more. */
export const isFinal = (): boolean => document.readyState === "complete" && isStatic();
