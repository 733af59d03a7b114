import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import { multiProcessArgs, packedArgs } from "../../../functions/scraping/browser/browsers.ts";
import { defaultLimits } from "../../../functions/scraping/browser/guard.ts";
import { installChromium } from "../../../functions/scraping/browser/install.ts";
import { type Launched, launch, NO_SANDBOX } from "../../../functions/scraping/browser/launch.ts";
import { cacheFolder } from "../../../local/data/cache-folder.ts";
import { onFailure } from "../../jest/failure-notes.ts";
import type { World } from "../harness.ts";
import { rememberInspections } from "../remember-inspections.ts";

/** The whole service, and a browser of a person who uses its console. */
export interface ConsoleWorld extends World {
  browser: Browser;
  /** A tab of its own session that follows a link with a key to a path of the console. */
  follow(path: string): Promise<Page>;
  /** A tab of its own session that is signed in, and has come to the path within the console. */
  open(path: string, options?: TabOptions): Promise<Page>;
}

export interface TabOptions extends BrowserContextOptions {
  /** The key to sign in with; null: none. */
  key?: string | null;
}

/** How long a tab may take to show what a test expects, on a busy machine. */
const WAIT_MS = 60_000;

/** Messages of the pages' consoles and errors of their scripts, which tests expect to be none. */
export const complaints: string[] = [];

export async function startConsoleWorld(world: World): Promise<ConsoleWorld> {
  // Those of an earlier test file of the same worker.
  complaints.splice(0);
  const launched = await startBrowser();
  launched.guard.stop();
  onFailure("what the page complained about", () => complaints.slice(-20).join("\n"));
  const remembered = rememberInspections(world.shopUrl);
  const answerInspection = async (route: Route) => {
    const ask = async () => {
      const response = await route.fetch({ timeout: WAIT_MS });
      return { status: response.status(), headers: response.headers(), body: await response.body() };
    };
    const answer = await remembered(route.request().postData() ?? "", ask).catch(() => undefined);
    // The page may have been closed or have asked something else meanwhile.
    await (answer ? route.fulfill(answer) : route.abort()).catch(() => undefined);
  };
  const newTab = async (options: BrowserContextOptions = {}) => {
    const context = await launched.browser.newContext({
      viewport: { width: 1280, height: 800 },
      // Frames of animations take half of the CPU time.
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS);
    await context.route("**/v1/inspections", answerInspection);
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    return page;
  };
  const { url, credentials } = world.service;
  const follow = async (path: string) => {
    const page = await newTab();
    await page.goto(`${url}${path}#key=${credentials.api_key}`);
    return page;
  };
  const open = async (path: string, { key = credentials.api_key, ...rest }: TabOptions = {}) => {
    const page = await newTab(rest);
    const signIn = await page.addInitScript(startSession, key);
    await page.goto(url + path);
    await signIn.dispose();
    return page;
  };
  return {
    ...world,
    browser: launched.browser,
    follow,
    open,
    async stop() {
      await launched.close();
      await world.stop();
    },
  };
}

/** Runs in the page before the console's own scripts. */
function startSession(key: string | null): void {
  history.replaceState({ isOwn: true }, "");
  if (key !== null) sessionStorage.setItem("gleaner.key", key);
}

/** The browser that scrapers use, without their proxy. */
async function startBrowser(): Promise<Launched> {
  const isPacked = process.platform === "linux" && process.arch === "x64";
  const program = isPacked ? { ...(await installChromium(cacheFolder())), args: packedArgs } : undefined;
  const args = multiProcessArgs.filter((arg) => !/proxy|resolver/.test(arg));
  return launch(program, [...args, NO_SANDBOX], defaultLimits());
}
