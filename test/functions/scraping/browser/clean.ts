import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "@jest/globals";
import { startSite } from "../../../site/site.ts";
import { browserProcesses, killRenderers, startEngine } from "../harness.ts";

/** Folders of our own and of Playwright that a browser may leave behind. */
const leftovers = () =>
  readdirSync(tmpdir()).filter((name) => /^(gleaner-browser-|playwright)|^core/.test(name));

/**
 * Runs one after another, every fifth of them crashing its page, another fifth given up in the middle, and checks that nothing
 * of them is left: of files, where the temporary folder is used by nobody else (`isAlone`). Resident memory is compared
 * from when half of the runs have warmed everything up. Runs of one `account` share browsers, which stay for a while.
 */
export async function runsLeaveNothing(count: number, isAlone: boolean, account = ""): Promise<void> {
  const site = await startSite();
  const engine = await startEngine([site.host], { ownBrowsers: true, account });
  const before = new Set(leftovers());
  const rows = Array.from({ length: 200 }, (_, n) => `<p class=item><b>Item ${n}</b></p>`).join("");
  site.setRoute("/list", `${rows}<a class=next href="/list2">Next</a>`);
  site.setRoute("/list2", rows);
  let crashing = false;
  site.setRoute("/crash", (_, response) => {
    if (crashing) killRenderers();
    else response.writeHead(200, { "content-type": "text/html" }).end(rows);
    crashing = false;
  });
  const steps = (path: string) => [
    { type: "visit" as const, url: site.url(path) },
    { type: "get_list" as const, selector: ".item", fields: [{ name: "name", selector: "b" }] },
  ];
  const pagination = { type: "next_button" as const, selector: ".next" };
  let warm = 0;
  try {
    for (let run = 1; run <= count; run += 1) {
      if (run % 5 === 0) {
        crashing = true;
        const told = await engine.run({ steps: steps("/crash") });
        expect(told.rows).toHaveLength(200);
      } else if (run % 5 === 3) {
        const batches = engine.start({ steps: steps("/list"), pagination });
        await batches.next();
        await batches.return("handover");
      } else {
        const told = await engine.run({ steps: steps("/list"), pagination });
        expect(told.failure).toBeUndefined();
        expect(told.rows).toHaveLength(400);
      }
      if (run === Math.ceil(count / 2)) warm = residentMemory();
    }
    if (account) await engine.close();
    expect(await browserProcesses()).toEqual([]);
    if (isAlone) expect(leftovers().filter((name) => !before.has(name))).toEqual([]);
    if (warm > 0 && count >= 40) expect(residentMemory() / warm).toBeLessThan(1.1);
  } finally {
    await engine.close();
    await site.close();
  }
}

function residentMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().rss;
}
