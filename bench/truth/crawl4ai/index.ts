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

interface Reader {
  browser: Browser;
  child: ChildProcess;
  ask(task: object): Promise<{ rows: Row[] } | { error: string }>;
}

/** One process, which reads one page after the other in a browser that it connects to. */
async function start(chromiumInstall: ChromiumInstall): Promise<Reader> {
  const python = join(dirname(await install()), "python");
  const port = await freePort();
  const browser = await chromium.launch({
    ...chromiumInstall,
    args: [...SCRIPT_ARGS, `--remote-debugging-port=${port}`],
  });
  const child = spawn(python, [join(import.meta.dirname, "reader.py"), `http://127.0.0.1:${port}`], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    browser,
    child,
    ask(task) {
      const answer = turn.then(async () => {
        child.stdin.write(`${JSON.stringify(task)}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error("Crawl4AI's process has ended.");
        return JSON.parse(value);
      });
      turn = answer.catch(() => {});
      return answer;
    },
  };
}

/** Crawl4AI with its extraction by CSS selectors, sessions, and scrolling. Tasks that need actions before the list are left out. */
export async function crawl4aiPeer(chromiumInstall: ChromiumInstall): Promise<Peer> {
  const { browser, child, ask } = await start(chromiumInstall);
  return {
    name: "Crawl4AI, as documented",
    version: VERSION,
    can: (task) => plainList(task) !== undefined && task.definition.pagination?.type !== "url_template",
    async read(task, place) {
      const list = plainList(task);
      const answer = await ask({
        name: task.name,
        url: urlOf(task, place),
        selector: list?.selector,
        fields: list?.fields,
        pagination: task.definition.pagination?.type ?? "none",
        control: place.control,
      });
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    },
    async close() {
      child.kill();
      await browser.close();
    },
  };
}
