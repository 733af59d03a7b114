import { chromium } from "playwright-core";
import type { SessionState } from "../../contract/session.ts";

/** No browser could be opened, or it could not open the page. */
export class WindowFailed extends Error {
  override name = "WindowFailed";
}

/**
 * Opens a browser with a window at an address, and returns the cookies and the local storage that it has when `done`
 * resolves.
 * @param executablePath the browser's program; undefined: Google Chrome
 * @throws WindowFailed
 */
export async function stateAfterSignIn(
  url: string,
  executablePath: string | undefined,
  done: () => Promise<void>,
): Promise<SessionState> {
  const browser = await chromium
    .launch({ headless: false, ...(executablePath ? { executablePath } : { channel: "chrome" }) })
    .catch((cause) => {
      const advice = "Install Google Chrome, or name another Chromium with --browser.";
      throw new WindowFailed(
        `No browser could be opened. ${advice} It needs a screen: run the command on your own computer, with --url for the service.`,
        { cause },
      );
    });
  try {
    const context = await browser.newContext({ viewport: null });
    const page = await context.newPage();
    await page.goto(url).catch((cause) => {
      throw new WindowFailed(`${url} could not be opened. Check the address.`, { cause });
    });
    await done();
    return await context.storageState().catch((cause) => {
      throw new WindowFailed("The browser was closed before its cookies were stored. Sign in again.", {
        cause,
      });
    });
  } finally {
    await browser.close();
  }
}
