import { chromium } from "playwright-core";
import { isHttpUrl } from "../../contract/http-url.ts";
import type { SessionState } from "../../contract/sessions/session.ts";
import { WindowClosed, WindowFailed } from "./window-failed.ts";

export type SignInWindow = Awaited<ReturnType<typeof openSignInWindow>>;

interface Options {
  /** The browser's program; Google Chrome by default. */
  executablePath?: string | undefined;
  /** Whether signals such as that of Ctrl+C close the browser and end the process. */
  handlesSignals: boolean;
}

/**
 * Opens a browser with a window at an address, in which a person signs in. Its profile is new, and deleted when it is closed.
 * @throws WindowFailed
 */
export async function openSignInWindow(url: string, { executablePath, handlesSignals }: Options) {
  if (!isHttpUrl(url)) throw new WindowFailed(`"${url}" is no address. Write it with https:// or http://.`);
  const browser = await chromium
    .launch({
      headless: false,
      ...(executablePath ? { executablePath } : { channel: "chrome" }),
      ...{ handleSIGHUP: handlesSignals, handleSIGINT: handlesSignals, handleSIGTERM: handlesSignals },
    })
    .catch((cause) => {
      throw new WindowFailed(
        "No browser could be opened. It needs a screen, and Google Chrome or another Chromium that --browser names. On a computer that has them, run `npx gleaner session sign-in` with --url for the service.",
        { cause },
      );
    });
  try {
    const context = await browser.newContext({ viewport: null });
    const page = await context.newPage();
    // What the page loads later, the person sees.
    await page.goto(url, { waitUntil: "commit" }).catch((cause) => {
      throw new WindowFailed(`${url} could not be opened. Check the address.`, { cause });
    });
    return {
      /**
       * The cookies and the local storage that it has now.
       * @throws WindowFailed if there are none, and WindowClosed
       */
      async state(): Promise<SessionState> {
        const state = await context.storageState().catch((cause) => {
          const message = "The browser was closed before its cookies were stored. Sign in again.";
          throw new WindowClosed(message, { cause });
        });
        if (state.cookies.length > 0 || state.origins.length > 0) return state;
        throw new WindowFailed("The site has set no cookies, so nothing was stored. Sign in first.");
      },
      close: (): Promise<void> => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
