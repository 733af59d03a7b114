import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { startWorld } from "../harness.ts";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { type Example, fillWithExamples } from "./examples.ts";
import { settled, showPage, states } from "./states.ts";

/* axe-core finds nothing on any page, in light and in dark, and no page is wider than a phone. */

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let world: ConsoleWorld;
let example: Example;
let page: Page;
beforeAll(async () => {
  world = await startConsoleWorld(await startWorld());
  page = await world.open("/");
  await settled(page);
  expect(await findings()).toEqual([]);
  example = await fillWithExamples(world);
});
afterAll(() => world.stop());

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe-core finds, with colors of both kinds. */
async function findings(): Promise<string[]> {
  await page.evaluate(axe);
  const found: string[] = [];
  // Only the contrast differs in the dark.
  for (const [colorScheme, options] of [
    ["light", "{}"],
    ["dark", "{ runOnly: ['color-contrast'] }"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
      violations: Finding[];
    };
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${id} in ${colorScheme}: ${html.slice(0, 200)}\n${failureSummary}`);
      }
    }
  }
  return found;
}

test.each(Object.keys(states))("%s", async (name) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await showPage(page, name, example);
  expect(await findings()).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the sign-in page", async () => {
  page = await world.open("/", { key: null });
  await page.getByLabel("API key").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The service does not accept this key.").waitFor();
  expect(await findings()).toEqual([]);
});

test("the question of a link with a key", async () => {
  page = await world.follow("/");
  await page.getByRole("dialog").waitFor();
  expect(await findings()).toEqual([]);
});
