import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { createTraffic, type TrafficLimits } from "../../../../functions/scraping/browser/traffic.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* What is said of a page that loads more than its run may. */

const { engine, site } = await startEngineAndSite();
const MB = 1024 ** 2;
const script = (text: string) => `<script>${text}</script>`;

/** What is said of a page that goes beyond its limits. */
const excessOf = async (html: string, limits: Partial<TrafficLimits>) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const { browser, egress, close } = await engine.browsers.lease();
  const context = await browser.newContext({ proxy: { server: egress.proxyUrl } });
  try {
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
    await context.close();
    await close();
  }
};

test.concurrent("a page that makes requests without end", async () => {
  site.setRoute("/one", "1");
  const html = script(
    'setInterval(() => { for (let n = 0; n < 50; n += 1) fetch("/one?" + Math.random()); }, 20)',
  );
  expect(await excessOf(html, { requests: 100 })).toMatchObject({
    code: "too_large",
    message: expect.stringContaining("100 requests"),
  });
});

test.concurrent("an answer that is small on its way and large when it is unpacked", async () => {
  const packed = gzipSync(Buffer.alloc(5 * MB));
  site.setRoute("/bomb", (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" }).end(packed);
  });
  const html = script('fetch("/bomb").then((answer) => answer.text())');
  expect(await excessOf(html, { responseBytes: 2 * MB })).toMatchObject({
    code: "too_large",
    message: expect.stringContaining("2 MB"),
  });
});

test.concurrent("many answers together", async () => {
  site.setRoute("/part", "x".repeat(MB));
  const html = script(
    'setInterval(() => fetch("/part?" + Math.random()).then((answer) => answer.text()), 5)',
  );
  expect(await excessOf(html, { runBytes: 3 * MB })).toMatchObject({ code: "too_large" });
});

test.concurrent("a stream of events", async () => {
  site.setRoute("/events", (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write(`data: ${"x".repeat(100_000)}\n\n`), 1);
    response.on("close", () => clearInterval(timer));
  });
  expect(await excessOf(script('new EventSource("/events")'), { responseBytes: 2 * MB })).toMatchObject({
    code: "too_large",
  });
});
