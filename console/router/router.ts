import { computed, signal } from "@preact/signals";

/** The current page of the console, as the path and query of its address. */
export interface Place {
  path: string;
  query: URLSearchParams;
  /**
   * Whether the user came here within the console. Otherwise the address may be a link of another site, and must not
   * have an effect by itself.
   */
  isOwn: boolean;
}

/** The state of history entries that the console makes. No other origin can make an entry with a state. */
const OWN = { isOwn: true };

const here = (): Place => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  isOwn: history.state?.isOwn === true,
});

const addressOf = ({ path, query }: Place) => (query.size === 0 ? path : `${path}?${query}`);

export const place = signal<Place>(here());

/** Asks the user before leaving a page with unsaved changes. Returns whether the user agrees. */
let guard: (() => boolean) | undefined;

/** Sets the function that is called before the user leaves the page; undefined if there are no unsaved changes. */
export const guardPage = (mayLeave: (() => boolean) | undefined): void => {
  guard = mayLeave;
};

/** Goes to a page of the console. With `replace`, the history gets no new entry. */
export function navigate(address: string, { replace = false } = {}): void {
  const url = new URL(address, location.href);
  if (url.pathname !== location.pathname && guard?.() === false) return;
  if (url.pathname !== location.pathname) guard = undefined;
  history[replace ? "replaceState" : "pushState"](OWN, "", url);
  place.value = here();
}

/** Changes values of the query without a new entry in the history. An empty value is removed. */
export function setQuery(values: Record<string, string>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  navigate(url.pathname + url.search, { replace: true });
}

/** Handles clicks on links to the console's own pages, so that the browser does not load the console again. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    // The address has already changed, so go back to the page with the unsaved changes.
    if (location.pathname !== place.value.path && guard?.() === false) {
      return history.pushState(place.value.isOwn ? OWN : null, "", addressOf(place.value));
    }
    if (location.pathname !== place.value.path) guard = undefined;
    place.value = here();
  });
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/v1/") || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    navigate(link.href);
  });
  addEventListener("beforeunload", (event) => {
    if (guard !== undefined) event.preventDefault();
  });
}

/** The first segment of the current path, such as "runs"; "" for the home page. */
export const section = computed(() => place.value.path.split("/")[1] ?? "");
