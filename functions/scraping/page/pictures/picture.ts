import type { CDPSession, Page } from "playwright-core";
import { within } from "../../time-limit.ts";
import type { PageClock, Size } from "../clock.ts";
import { type FindTexts, PictureCover } from "./picture-cover.ts";

export interface AskedPicture {
  /** From 0 to 100. */
  quality: number;
  /** In ms. */
  timeout: number;
  /** In pixels; that of the window if absent. */
  size?: Size;
  /** Finds the texts that are covered. Then there is no picture if something can't be covered. */
  find?: FindTexts | undefined;
}

/** A picture of what a page shows, as a JPEG; undefined if there is none. @throws if that takes longer than `timeout` */
export async function takePicture(
  { page, cdp, clock }: { page: Page; cdp: CDPSession; clock: PageClock },
  { quality, timeout, size, find }: AskedPicture,
): Promise<Buffer | undefined> {
  const cover = find && new PictureCover(cdp, find);
  if (clock.draws) return within(timeout, clock.picture(quality, size, cover));
  // Without frames of the engine's own, a page may change between the look at it and the picture.
  if (cover) return undefined;
  const clip = size && { x: 0, y: 0, ...size };
  return page.screenshot({
    type: "jpeg",
    quality,
    timeout,
    fullPage: clip !== undefined,
    ...(clip && { clip }),
  });
}
