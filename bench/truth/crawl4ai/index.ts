import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright-core";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { ChromiumInstall } from "../../../functions/scraping/browser/install.ts";
import { cached, freePort, run } from "../../../test/verify-aws/tools.ts";
import { SCRIPT_ARGS } from "../../engine/scripts.ts";
import { type Peer, plainList, urlOf } from "../peer.ts";

const VERSION = "0.9.5";

const install = (): Promise<string> =>
  cached(`crawl4ai-${VERSION}`, "bin/crwl", async (folder) => {
    console.error("Installing Crawl4AI; this takes some minutes.");
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin", "pip"), ["install", "--quiet", `crawl4ai==${VERSION}`]);
  });

/** A process of Python, which reads one page after the other in a browser that it connects to. */
interface Crawler {
  ask(task: object): Promise<{ rows: Row[] } | { error: string }>;
  end(): void;
}

/** Resolves when the crawler is ready. */
async function startCrawler(python: string, chromiumInstall: ChromiumInstall): Promise<Crawler> {
  const port = await freePort();
  const browser: Browser = await chromium.launch({
    ...chromiumInstall,
    args: [...SCRIPT_ARGS, `--remote-debugging-port=${port}`],
  });
  const child: ChildProcess = spawn(
    python,
    [join(import.meta.dirname, "reader.py"), `http://127.0.0.1:${port}`],
    {
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  // A process that has ended is noticed by the end of its output.
  child.stdin?.on("error", () => {});
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("Crawl4AI's process has ended.");
    return JSON.parse(value);
  };
  await next();
  return {
    ask(task) {
      child.stdin?.write(`${JSON.stringify(task)}\n`);
      return next();
    },
    end() {
      child.kill("SIGKILL");
      void browser.close();
    },
  };
}

/**
 * Crawl4AI with its extraction by CSS selectors, sessions, and scrolling. Tasks that need actions before the list are left out.
 * Readings side by side have a crawler each, which a later reading uses again, as a program with many addresses does. So its start
 * does not count.
 */
export async function crawl4aiPeer(chromiumInstall: ChromiumInstall): Promise<Peer> {
  const python = join(dirname(await install()), "python");
  const all = new Set<Crawler>();
  const idle: Crawler[] = [];
  return {
    name: "Crawl4AI, as documented",
    version: VERSION,
    can: (task) => plainList(task) !== undefined && task.pagination?.type !== "url_template",
    async read(task, place) {
      const crawler = idle.pop() ?? (await startCrawler(python, chromiumInstall));
      all.add(crawler);
      place.begin();
      const list = plainList(task);
      const end = () => {
        all.delete(crawler);
        crawler.end();
      };
      place.signal.addEventListener("abort", end);
      const answer = await crawler.ask({
        name: task.name,
        url: urlOf(task, place),
        selector: list?.selector,
        fields: list?.fields,
        pagination: task.pagination?.type ?? "none",
        control: place.control,
      });
      place.signal.removeEventListener("abort", end);
      idle.push(crawler);
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    },
    async close() {
      for (const crawler of all) crawler.end();
    },
  };
}
