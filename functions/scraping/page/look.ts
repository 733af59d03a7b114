import type { Snapshot } from "../../proposals/snapshot.ts";
import type { Tab } from "./tab.ts";

/** A picture and a description of a page as a person sees it. */
export interface PageLook {
  snapshot: Snapshot;
  /** A JPEG of the whole page, as far as its longest sides reach. */
  screenshot?: Buffer;
}

/** Asks for a look at the page that the steps end at, also if one of them fails. */
export interface Look {
  wantsScreenshot: boolean;
  onLook: (look: PageLook) => void;
}

const RELEASE_MS = 2_000;
const COLLECT_MS = 5_000;
const SCREENSHOT_MS = 5_000;
/** In pixels. */
const SIDE_MAX = 8_000;
/** Together with the rest, it has to fit in an answer of Lambda, which may have 6 MB. */
const SCREENSHOT_MAX_BYTES = 2_500_000;

export async function lookAt(tab: Tab, { wantsScreenshot, onLook }: Look): Promise<void> {
  await tab.release(RELEASE_MS);
  const snapshot = await tab.collect(COLLECT_MS);
  const screenshot = wantsScreenshot ? await pictureOf(tab, snapshot) : undefined;
  onLook({ snapshot, ...(screenshot && { screenshot }) });
}

async function pictureOf({ page }: Tab, { width, height }: Snapshot): Promise<Buffer | undefined> {
  const clip = { x: 0, y: 0, width: Math.min(width, SIDE_MAX), height: Math.min(height, SIDE_MAX) };
  // A page that never stops painting has no picture; the rest of the look is worth having.
  const picture = await page
    .screenshot({ type: "jpeg", quality: 50, fullPage: true, clip, timeout: SCREENSHOT_MS })
    .catch(() => undefined);
  return picture && picture.length <= SCREENSHOT_MAX_BYTES ? picture : undefined;
}
