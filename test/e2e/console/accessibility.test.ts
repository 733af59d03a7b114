import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { startWorld } from "../harness.ts";
import { findingsOf } from "./axe.ts";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { type Example, fillWithExamples } from "./examples.ts";
import { settled, showPage, states } from "./states.ts";

/* axe-core finds nothing on any page, in light and in dark, and no page is wider than a phone. */

let world: ConsoleWorld;
let example: Example;
let page: Page;
beforeAll(async () => {
  world = await startConsoleWorld(await startWorld());
  page = await world.open("/");
  await settled(page);
  expect(await findingsOf(page)).toEqual([]);
  example = await fillWithExamples(world);
});
afterAll(() => world.stop());

test.each(Object.keys(states))("%s", async (name) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await showPage(page, name, example);
  expect(await findingsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the sign-in page", async () => {
  page = await world.open("/", { key: null });
  await page.getByLabel("API key").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The service does not accept this key.").waitFor();
  expect(await findingsOf(page)).toEqual([]);
});

test("the question of a link with a key", async () => {
  page = await world.follow("/");
  await page.getByRole("dialog").waitFor();
  expect(await findingsOf(page)).toEqual([]);
});
