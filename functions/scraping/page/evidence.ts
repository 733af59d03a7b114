import { EVIDENCE_CUT_AT, type Evidence } from "../../runs/failure.ts";
import type { Tab } from "./tab.ts";

const SCREENSHOT_MS = 1_500;
const RELEASE_MS = 500;
const SCREENSHOT_MAX_BYTES = 300_000;

/** What the page looks like; whatever takes too long is left out. Never throws. */
export async function collectEvidence(tab: Tab): Promise<Evidence> {
  const { page, document } = tab;
  const within = <T>(promise: Promise<T>, fallback: T): Promise<T> =>
    Promise.race([
      promise.catch(() => fallback),
      new Promise<T>((resolve) => {
        setTimeout(() => resolve(fallback), SCREENSHOT_MS).unref();
      }),
    ]);
  // Without layout or painting, the picture would be blank.
  await tab.release(RELEASE_MS);
  const picture = () => tab.picture({ quality: 40, timeout: SCREENSHOT_MS });
  const [title, screenshot] = await Promise.all([
    within(page.title(), ""),
    // A page that has just started to load may refuse the first time.
    within<Buffer | undefined>(picture().catch(picture), undefined),
  ]);
  // The browser shows an error page of its own where no document came.
  const url = page.url().startsWith("chrome-error:") ? document.url : page.url();
  return {
    url: url.slice(0, EVIDENCE_CUT_AT),
    title: title.slice(0, EVIDENCE_CUT_AT),
    ...(screenshot && screenshot.length <= SCREENSHOT_MAX_BYTES && { screenshot }),
  };
}
