import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createBrowsers, singleProcessArgs } from "../../../../functions/scraping/browser/browsers.ts";
import { descendants } from "../harness.ts";

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

test("the browser's processes have nothing of our environment", async () => {
  process.env.AWS_SECRET_ACCESS_KEY = "planted";
  const browsers = createBrowsers({ cacheFolder, egress: { allowHosts: [] } });
  try {
    const leased = await browsers.lease();
    // Its children get theirs from it, and write over it to change what they are called.
    const environments = descendants()
      .filter(({ command }) => command.includes("--headless") && !command.includes("--type="))
      .map(({ pid }) => readFileSync(`/proc/${pid}/environ`, "utf8"));
    const names = environments
      .join("")
      .split("\0")
      .map((variable) => variable.split("=")[0] ?? "");
    expect(names).toContain("HOME");
    const own = ["HOME", "TMPDIR", "FONTCONFIG_PATH", "LD_LIBRARY_PATH"];
    // What a shell and Chromium add by themselves.
    const added = ["", "PWD", "OLDPWD", "_", "SHLVL", "CHROME_WRAPPER"];
    expect([...own, ...added]).toEqual(expect.arrayContaining(names));
    await leased.close();
  } finally {
    delete process.env.AWS_SECRET_ACCESS_KEY;
    await browsers.close();
  }
});
