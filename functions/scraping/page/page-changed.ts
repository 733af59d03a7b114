/** The document in which something ran is gone: another one took its place. */
export class PageChanged extends Error {
  override readonly name = "PageChanged";
}

const GONE =
  /context was destroyed|Cannot find context|navigated or closed|Inspected target|frame was detached|Not attached to an active page/i;

/** What an error of DevTools or of Playwright means: PageChanged, or the error itself. */
export const changedOr = (error: unknown): unknown =>
  error instanceof Error && GONE.test(error.message)
    ? new PageChanged("the page went on to another document", { cause: error })
    : error;

/** For what may fail because the page went on to another document: there is nothing then. */
export function unlessChanged(error: unknown): undefined {
  if (!(error instanceof PageChanged)) throw error;
}
