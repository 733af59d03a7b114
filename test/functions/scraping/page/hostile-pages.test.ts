import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { createTraffic, type TrafficLimits } from "../../../../functions/scraping/browser/traffic.ts";
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

describe("traffic", () => {
  /** What is said of a page that goes beyond its limits. */
  const excessOf = async (html: string, limits: Partial<TrafficLimits>) => {
    const path = site.newPath();
    site.setRoute(path, html);
    const { browser, egress, close } = await engine.browsers.lease();
    try {
      const context = await browser.newContext({ proxy: { server: egress.proxyUrl } });
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      const excess = new Promise<unknown>((resolve) => {
        const all = { requests: 1e6, responseBytes: 1e9, runBytes: 1e9, ...limits };
        createTraffic(resolve, all).watch(cdp);
      });
      await cdp.send("Network.enable");
      await page.goto(site.url(path), { waitUntil: "commit" });
      return await excess;
    } finally {
      await close();
    }
  };

  test.concurrent("a page that makes requests without end", async () => {
    site.setRoute("/one", "1");
    const html = script(
      'setInterval(() => { for (let n = 0; n < 50; n += 1) fetch("/one?" + Math.random()); }, 20)',
    );
    expect(await excessOf(html, { requests: 500 })).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("500 requests"),
    });
  });

  test.concurrent("an answer that is small on its way and large when it is unpacked", async () => {
    const packed = gzipSync(Buffer.alloc(50 * MB));
    site.setRoute("/bomb", (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" }).end(packed);
    });
    const html = script('fetch("/bomb").then((answer) => answer.text())');
    expect(await excessOf(html, { responseBytes: 20 * MB })).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("20 MB"),
    });
  });

  test.concurrent("many answers together", async () => {
    site.setRoute("/part", "x".repeat(MB));
    const html = script(
      'setInterval(() => fetch("/part?" + Math.random()).then((answer) => answer.text()), 5)',
    );
    expect(await excessOf(html, { runBytes: 10 * MB })).toMatchObject({ code: "too_large" });
  });

  test.concurrent("a stream of events", async () => {
    site.setRoute("/events", (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(`data: ${"x".repeat(100_000)}\n\n`), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(await excessOf(script('new EventSource("/events")'), { responseBytes: 5 * MB })).toMatchObject({
      code: "too_large",
    });
  });
});

describe("a page that gets in the way", () => {
  const floods = {
    "opens windows": 'setInterval(() => { for (let n = 0; n < 5; n += 1) window.open("about:blank"); }, 50)',
    "shows dialogs": 'for (let n = 0; n < 300; n += 1) alert("no"); setInterval(() => alert("no"), 10)',
    "fills the history": 'for (let n = 0; n < 5000; n += 1) history.pushState(n, "", "?" + n)',
    prints: "setInterval(() => print(), 50)",
    "has an address of a megabyte": 'history.pushState(0, "", "?" + "x".repeat(1e6))',
    "opens sockets":
      'for (let n = 0; n < 10000; n += 1) new WebSocket("ws://" + location.host + "/socket?" + n)',
    "makes frames": `for (let n = 0; n < 200; n += 1) document.documentElement.append(document.createElement("iframe"))`,
  };
  test.concurrent.each(Object.entries(floods))("it %s", async (_, text) => {
    const told = await run(
      `${item}${script(`onload = () => { ${text} }`)}`,
      { type: "wait", value: 1_500 },
      list(40_000),
    );
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([{ name: "One" }]);
  });

  test.concurrent("a failure on a page with an endless address is short enough to be stored", async () => {
    const html = script('history.pushState(0, "", "?" + "x".repeat(1e6))');
    const { failure } = await run(html, { ...list(300), selector: ".none" } as Step);
    expect(failure?.code).toBe("element_not_found");
    expect(failure?.message.length).toBeLessThan(2_100);
    expect(failure?.evidence?.url.length).toBeLessThan(2_100);
  });

  test.concurrent("it nests its elements deeper than anything can follow", async () => {
    const nest = script(`let at = document.body;
      for (let n = 0; n < 50000; n += 1) { const inner = document.createElement("div"); at.append(inner); at = inner; }
      at.innerHTML = "${item}";`);
    const { failure } = await run(`<body>${nest}`, list(40_000));
    // The layout of the page exhausts the stack of its process, or reading it does.
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(?:page_crashed|too_large)$/), step: 1 });
  });

  test.concurrent("it changes what every function of its world does", async () => {
    const changed = script(`
      Array.prototype.map = () => [1]; JSON.stringify = () => "no"; String.prototype.trim = () => "no";
      Array.prototype[Symbol.iterator] = function* () { yield 1; }; Document.prototype.querySelectorAll = () => [];
      Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "no" });
      Object.defineProperty(Object.prototype, "cells", { set() { throw 1; } });
      window.setTimeout = window.requestAnimationFrame = () => {};`);
    const fields = [{ name: "name" }];
    const told = await run(`${changed}${item}`, { type: "click", selector: "p" }, list(5_000));
    expect(told.rows).toEqual([{ name: "One" }]);
    const own = script(`customElements.define("x-a", class extends HTMLElement {
      get innerText() { return "no"; } get textContent() { return "no"; } getAttribute() { return "no"; } })`);
    const elements = `${own}<x-a class=own>One</x-a>`;
    expect((await run(elements, { type: "get_list", selector: ".own", fields })).rows).toEqual([
      { name: "One" },
    ]);
    // What has to be asked for in the page's own world is refused, and not believed.
    expect((await run(`${changed}${item}`, { type: "get_text", field_name: "One" })).failure).toMatchObject({
      code: "element_unusable",
      step: 1,
    });
  });

  test.concurrent("it names elements like what a document, a window or a form has", async () => {
    const names =
      "querySelectorAll readyState scripts styleSheets body documentElement parentNode getAttribute matches";
    const clobbering = (tag: string) =>
      names
        .split(" ")
        .map((name) => `<${tag} name=${name} id=${name}></${tag}>`)
        .join("");
    const html = `${clobbering("form")}${clobbering("img")}<a id=__gleaner></a><form>${clobbering("input")}${item}</form>`;
    expect((await run(html, list(5_000))).rows).toEqual([{ name: "One" }]);
    const row =
      '<form id=f class=item style="text-transform: uppercase">One</form><input form=f name=innerText>';
    expect((await run(row, list(5_000))).failure).toMatchObject({ code: "element_unusable", step: 1 });
  });
});
