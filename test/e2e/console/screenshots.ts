import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { startWorld } from "../harness.ts";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { type Example, fillWithExamples } from "./examples.ts";
import { settled, showPage, states } from "./states.ts";

/*
 * `npm run docs:screenshots`: the pictures of docs/console.md. With `--all FOLDER`, every page in every state, in two
 * widths, light and dark.
 */

const DOCS = join(PROJECT_FOLDER, "docs", "images");
const SCHEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390];
/** The states that the documentation shows. */
const SHOWN = ["home", "scraper", "run-failed", "record"];

const [flag, folder] = process.argv.slice(2);
const world = await startConsoleWorld(await startWorld());
try {
  if (flag === "--all" && folder !== undefined) await takeAll(world, folder);
  else await takeDocs(world);
} finally {
  await world.stop();
}

async function takeDocs(world: ConsoleWorld): Promise<void> {
  await mkdir(DOCS, { recursive: true });
  const example = await fillWithExamples(world);
  const page = await world.open("/", { viewport: { width: 1200, height: 750 } });
  await settled(page);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const name of SHOWN) {
      await showAll(page, name, example);
      await page.screenshot({
        path: join(DOCS, `console-${name}-${colorScheme}.jpg`),
        type: "jpeg",
        quality: 75,
      });
    }
  }
}

async function takeAll(world: ConsoleWorld, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const page = await world.open("/");
  await settled(page);
  await inAllSizes(page, folder, "home-first-time");
  const stranger = await world.open("/", { key: "glr_nothing" });
  await stranger.getByText("Your API key is no longer valid").waitFor();
  await inAllSizes(stranger, folder, "sign-in");
  const example = await fillWithExamples(world);
  for (const name of Object.keys(states)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await showAll(page, name, example);
    await inAllSizes(page, folder, name);
  }
  await showAll(page, "settings", example);
  await page.context().setOffline(true);
  await showAll(page, "runs", example);
  await inAllSizes(page, folder, "runs-offline");
}

/** Shows a page, and waits for what it loads after itself. */
async function showAll(page: Page, name: string, example: Example): Promise<void> {
  await showPage(page, name, example);
  await page.waitForTimeout(400);
}

async function inAllSizes(page: Page, folder: string, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width > 1000 ? 900 : 720 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}
