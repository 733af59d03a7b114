import { afterEach, describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { browserProcesses, startEngine } from "../harness.ts";

const MB = 1024 ** 2;
// Less than by default, so that the tests need less too.
const { engine, site } = await startEngineAndSite({
  ownBrowsers: true,
  browserLimits: { memory: 500 * MB, disk: 500 * MB, message: 32 * MB, messages: 64 * MB },
});

const item = "<p class=item>One</p>";
const list = (timeout_ms: number): Step => ({
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name" }],
  timeout_ms,
});
const run = (html: string, ...steps: Step[]) => {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
};
const script = (text: string) => `<script>${text}</script>`;

describe("a page that wants more than it may have", () => {
  afterEach(async () => {
    expect(await browserProcesses()).toEqual([]);
    // The next run knows nothing of it.
    expect((await run(item, list(10_000))).rows).toEqual([{ name: "One" }]);
  });

  const inWorker = (text: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}])))`;
  const hogs = {
    "array buffers": "setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 1)",
    "WebAssembly memory":
      "setInterval(() => all.push(new Uint8Array(new WebAssembly.Memory({ initial: 1000 }).buffer).fill(1)), 1)",
    canvases: `setInterval(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 8000, height: 8000 });
      canvas.getContext("2d").fillRect(0, 0, 8000, 8000);
      canvas.getContext("2d").getImageData(0, 0, 1, 1);
      all.push(canvas);
    }, 1)`,
    elements: `setInterval(() => {
      const part = document.createElement("div");
      part.innerHTML = "<p>x</p>".repeat(1e5);
      all.push(part);
    }, 1)`,
    workers: `for (let n = 0; n < 4; n += 1) ${inWorker("const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))")}`,
  };
  test.each(Object.entries(hogs))("of memory, by %s", async (_, text) => {
    const told = await run(script(`const all = []; ${text}`), list(40_000));
    expect(told.failure).toMatchObject({
      code: "too_large",
      step: 1,
      message: expect.stringContaining("500 MB"),
    });
  });

  const streams = `const blob = new Blob([new Uint8Array(1e7).fill(1)]), all = [];
    setInterval(async () => {
      const reader = blob.stream().getReader();
      await reader.read();
      all.push(reader);
    }, 1)`;
  test("of disk space, by streams that it never reads to their end", async () => {
    expect((await run(script(streams), list(40_000))).failure).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("500 MB to files"),
    });
  });

  test("of open files", async () => {
    const few = await startEngine([site.host], { ownBrowsers: true, browserLimits: { openFiles: 300 } });
    try {
      site.setRoute("/streams", script(streams));
      const steps: Step[] = [{ type: "visit", url: site.url("/streams") }, list(40_000)];
      expect((await few.run({ steps })).failure).toMatchObject({
        code: "too_large",
        message: expect.stringContaining("more than 300 files"),
      });
    } finally {
      await few.close();
    }
  });

  const tellings = {
    "logs it": 'console.log("x".repeat(1e8))',
    "logs it in a worker": inWorker('console.log("x".repeat(1e8))'),
    "throws it": 'throw "x".repeat(1e8)',
    "asks for it": 'fetch("data:text/plain," + "x".repeat(1e8))',
    "sends it": 'fetch("/post", { method: "POST", body: "x".repeat(1e8) })',
    "logs without end":
      'setInterval(() => { for (let n = 0; n < 100; n += 1) console.log("x".repeat(1e4)); }, 1)',
  };
  test.each(Object.entries(tellings))("to tell: one that %s", async (_, text) => {
    const told = await run(script(text), { ...list(40_000), selector: ".none" } as Step);
    expect(told.failure).toMatchObject({ code: "too_large", step: 1 });
  });
});

test("a page that logs the longest text that there is leaves the service alive", async () => {
  const usual = await startEngine([site.host], { ownBrowsers: true });
  try {
    site.setRoute("/longest", script('console.log("x".repeat(2 ** 29 - 24))'));
    const steps: Step[] = [
      { type: "visit", url: site.url("/longest") },
      { ...list(40_000), selector: ".none" } as Step,
    ];
    expect((await usual.run({ steps })).failure).toMatchObject({ code: "too_large", step: 1 });
  } finally {
    await usual.close();
  }
});
