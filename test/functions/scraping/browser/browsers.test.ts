import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, jest, test } from "@jest/globals";
import {
  createBrowsers,
  multiProcessArgs,
  NO_PREFETCHES,
  packedArgs,
  singleProcessArgs,
  UNNEEDED,
} from "../../../../functions/scraping/browser/browsers.ts";
import { installChromium } from "../../../../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../../../../functions/scraping/browser/launch.ts";
import { cacheFolder } from "../../../../local/data/cache-folder.ts";
import { newFolder } from "../../../new-folder.ts";
import { browserProcesses, descendants } from "../harness.ts";

test("a browser of a single process opens a page, and ends with all that it started", async () => {
  const browsers = createBrowsers({
    cacheFolder: cacheFolder(),
    args: singleProcessArgs,
    egress: { allowHosts: [] },
  });
  browsers.warm();
  const leased = await browsers.lease();
  expect(await leased.tab.page.evaluate(() => 1 + 1)).toBe(2);
  await leased.close();
  expect(await browserProcesses()).toEqual([]);
});

test.each([
  ["for a run", false],
  ["ahead of a run that takes it", true],
])("a browser that is still starting %s ends with the others", async (_, isWarm) => {
  const browsers = createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [] } });
  if (isWarm) browsers.warm();
  const leasing = browsers.lease().then(({ browser }) => browser.isConnected());
  const isOpen = leasing.catch(() => false);
  await browsers.close();
  expect(await browserProcesses()).toEqual([]);
  expect(await isOpen).toBe(false);
  expect(await browserProcesses()).toEqual([]);
});

test("a browser that can't be started is told as such, with the C library where that is the reason", async () => {
  const browsers = createBrowsers({
    cacheFolder: cacheFolder(),
    executablePath: "/bin/false",
    egress: { allowHosts: [] },
  });
  const failed = (message: string) => ({ code: "browser_failed", message: expect.stringContaining(message) });
  await expect(browsers.lease()).rejects.toMatchObject(failed("Check the memory"));
  const report = jest.spyOn(process.report, "getReport").mockReturnValue({ header: {} });
  await expect(browsers.lease()).rejects.toMatchObject(failed("it needs glibc"));
  report.mockRestore();
});

test("an installed headless shell without its sandbox starts its pages without a zygote", async () => {
  const packed = await installChromium(cacheFolder());
  const executablePath = join(await newFolder(), "headless-shell");
  const env = Object.entries(packed.env).map(([name, value]) => `${name}='${value}' `);
  writeFileSync(executablePath, `#!/bin/sh\n${env.join("")}exec '${packed.executablePath}' "$@"\n`, {
    mode: 0o755,
  });
  const args = [...multiProcessArgs, ...packedArgs, NO_SANDBOX];
  const browsers = createBrowsers({
    ...{ cacheFolder: cacheFolder(), executablePath, args },
    egress: { allowHosts: [] },
  });
  try {
    const leased = await browsers.lease();
    expect(await leased.tab.page.evaluate(() => 1 + 1)).toBe(2);
    const commands = descendants().map(({ command }) => command);
    expect(commands.filter((command) => command.includes("--type=renderer"))).not.toEqual([]);
    expect(commands.filter((command) => command.includes("--type=zygote"))).toEqual([]);
  } finally {
    await browsers.close();
  }
});

test("the browser's processes have nothing of our environment; features that send what can't be checked are off, and Playwright's own settings stay", async () => {
  process.env.AWS_SECRET_ACCESS_KEY = "planted";
  const browsers = createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [] } });
  try {
    await browsers.lease();
    // Its children get theirs from it, and write over it to change what they are called.
    const mains = descendants().filter(
      ({ command }) => command.includes("--headless") && !command.includes("--type="),
    );
    for (const [name, own] of [
      ["disable", UNNEEDED],
      ["enable", [NO_PREFETCHES]],
    ] as const) {
      const found = mains[0]?.command.matchAll(new RegExp(`--${name}-features=(\\S+)`, "g")) ?? [];
      const lists = [...found].map(([, list = ""]) => list.split(","));
      // The browser reads the last list only.
      expect(lists.length).toBeGreaterThan(1);
      expect(lists.at(-1)).toEqual(expect.arrayContaining([...own, ...lists.flat()]));
    }
    const names = mains
      .flatMap(({ pid }) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0"))
      .map((variable) => variable.split("=")[0] ?? "");
    expect(names).toContain("HOME");
    const own = ["HOME", "TMPDIR", "FONTCONFIG_PATH", "LD_LIBRARY_PATH"];
    // What a shell and Chromium add by themselves.
    const added = ["", "PWD", "OLDPWD", "_", "SHLVL", "CHROME_WRAPPER"];
    expect([...own, ...added]).toEqual(expect.arrayContaining(names));
  } finally {
    delete process.env.AWS_SECRET_ACCESS_KEY;
    await browsers.close();
  }
});

test("a spare browser that dies is closed with its profile, and another takes its place", async () => {
  const browsers = createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [] } });
  try {
    // Otherwise, the first browser is the one that tries the sandbox.
    await browsers.whyNoSandbox();
    browsers.warm();
    // Its profile is below its home folder.
    const { pid, home } = await until(async () => mainProcess());
    const isUp = () => descendants().some(({ command }) => command.includes("--type=renderer"));
    await until(async () => (existsSync(home) && isUp()) || undefined);
    process.kill(pid, "SIGKILL");
    await until(async () => !existsSync(home) || undefined);
    const leased = await browsers.lease();
    expect(await leased.tab.page.evaluate(() => 1 + 1)).toBe(2);
    expect(mainProcess()?.pid).not.toBe(pid);
    await leased.close();
  } finally {
    await browsers.close();
  }
});

test("a spare browser that dies while it starts is replaced by another", async () => {
  const browsers = createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [] } });
  try {
    await browsers.whyNoSandbox();
    browsers.warm();
    const leasing = browsers.lease();
    const { pid } = await until(async () => mainProcess());
    process.kill(pid, "SIGKILL");
    const leased = await leasing;
    expect(await leased.tab.page.evaluate(() => 1 + 1)).toBe(2);
    expect(mainProcess()?.pid).not.toBe(pid);
  } finally {
    await browsers.close();
  }
});

/** The browser's own process, which is the parent of its others. */
function mainProcess() {
  for (const { pid, command } of descendants()) {
    if (!command.includes("--headless") || command.includes("--type=")) continue;
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const home = environment.find((variable) => variable.startsWith("HOME="))?.slice("HOME=".length);
    if (home) return { pid, home };
  }
  return undefined;
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(20);
  }
}
