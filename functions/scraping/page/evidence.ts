import type { Evidence } from "../../runs/failure.ts";
import type { Tab } from "./tab.ts";

const SCREENSHOT_MS = 1_500;
const RELEASE_MS = 500;
const SCREENSHOT_MAX_BYTES = 300_000;
const TEXT_MAX = 2_000;

/** What the page looks like; whatever can't be had in a moment is left out. Never throws. */
export async function collectEvidence({ page, release, document }: Tab): Promise<Evidence> {
  const within = <T>(promise: Promise<T>, fallback: T): Promise<T> =>
    Promise.race([
      promise.catch(() => fallback),
      new Promise<T>((resolve) => {
        setTimeout(() => resolve(fallback), SCREENSHOT_MS).unref();
      }),
    ]);
  // A page whose layout is held back, or that is not drawn, would be a picture of nothing.
  await release(RELEASE_MS);
  const picture = () => page.screenshot({ type: "jpeg", quality: 40, timeout: SCREENSHOT_MS });
  const [title, screenshot] = await Promise.all([
    within(page.title(), ""),
    // A page that is only just coming up can refuse the first time.
    within<Buffer | undefined>(picture().catch(picture), undefined),
  ]);
  // The browser shows a page of its own where none came.
  const url = page.url().startsWith("chrome-error:") ? document.url : page.url();
  return {
    url: url.slice(0, TEXT_MAX),
    title: title.slice(0, TEXT_MAX),
    ...(screenshot && screenshot.length <= SCREENSHOT_MAX_BYTES && { screenshot }),
  };
}
