import { computed, signal } from "@preact/signals";

/** Where the person is. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

const addressOf = ({ path, query }: Place) => (query.size === 0 ? path : `${path}?${query}`);

export const place = signal<Place>(here());

/** Asked before the person leaves a page with changes that are not stored. */
let guard: (() => boolean) | undefined;

/** `mayLeave`: asks the person; undefined: nothing would be lost. */
export const guardPage = (mayLeave: (() => boolean) | undefined): void => {
  guard = mayLeave;
};

/** Goes to a page of the console. `replace`: without a new entry in the history. */
export function navigate(address: string, { replace = false } = {}): void {
  const url = new URL(address, location.href);
  if (url.pathname !== location.pathname && guard?.() === false) return;
  if (url.pathname !== location.pathname) guard = undefined;
  history[replace ? "replaceState" : "pushState"](null, "", url);
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

/** Makes links to the console's own pages change the page without loading it again. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    // The browser has gone already: back to where the changes are.
    if (location.pathname !== place.value.path && guard?.() === false) {
      return history.pushState(null, "", addressOf(place.value));
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

export const section = computed(() => place.value.path.split("/")[1] ?? "");
