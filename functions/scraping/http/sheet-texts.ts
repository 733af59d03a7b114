import type { Page } from "playwright-core";
import { CALL_TIMEOUT_MS } from "../page/page-calls.ts";
import { within } from "../time-limit.ts";

interface SheetHeader {
  styleSheetId: string;
  sourceURL: string;
  isInline: boolean;
  loadingFailed?: boolean;
}

/**
 * The texts of the style sheets that a page has loaded, by their addresses: also those of other sites, which scripts can't
 * read.
 */
export async function sheetTexts(page: Page): Promise<Map<string, string>> {
  const cdp = await within(CALL_TIMEOUT_MS, page.context().newCDPSession(page));
  try {
    const sheets: SheetHeader[] = [];
    cdp.on("CSS.styleSheetAdded", ({ header }) => sheets.push(header));
    await within(CALL_TIMEOUT_MS, cdp.send("DOM.enable"));
    await within(CALL_TIMEOUT_MS, cdp.send("CSS.enable"));
    const loaded = sheets.filter(({ isInline, loadingFailed }) => !isInline && !loadingFailed);
    const texts = loaded.map(async ({ styleSheetId, sourceURL }) => {
      const { text } = await within(CALL_TIMEOUT_MS, cdp.send("CSS.getStyleSheetText", { styleSheetId }));
      return [sourceURL, text] as const;
    });
    return new Map(await Promise.all(texts));
  } finally {
    cdp.detach().catch(() => {});
  }
}
