import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createBrowsers, singleProcessArgs } from "../../../functions/scraping/browser.ts";
import { descendants } from "./harness.ts";

const cacheFolder = join(tmpdir(), "gleaner-cache");

test("a browser of a single process opens a page, and ends with all that it started", async () => {
  const browsers = createBrowsers({ cacheFolder, args: singleProcessArgs, egress: { allowHosts: [] } });
  browsers.warm();
  const leased = await browsers.lease();
  expect(await leased.tab.page.evaluate(() => 1 + 1)).toBe(2);
  await leased.close();
  expect(descendants().filter(({ command }) => command.includes("--headless"))).toEqual([]);
});

test("a browser that can't be started is told as such", async () => {
  const browsers = createBrowsers({ cacheFolder, executablePath: "/bin/false", egress: { allowHosts: [] } });
  await expect(browsers.lease()).rejects.toMatchObject({ code: "browser_failed" });
});
