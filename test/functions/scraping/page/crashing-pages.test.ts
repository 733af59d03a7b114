import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { items, list, names } from "./item-site.ts";

/* Pages that take their browser along. */

const { engine, site } = await startEngineAndSite({ ownBrowsers: true });

test.concurrent("a page that allocates without end crashes alone, and is tried in a new browser", async () => {
  let calls = 0;
  const hog = "<script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));</script>";
  site.setRoute("/hog", (_, response) => {
    calls += 1;
    sendHtml(response, calls > 1 ? items(2) : hog);
  });
  // How long it takes to crash is up to the machine.
  const patient = { ...list, timeout_ms: 40_000 } as Step;
  const told = await engine.run({ steps: [{ type: "visit", url: site.url("/hog") }, patient] });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(1);
});

test.concurrent("a page that hangs the browser's page ends by its time-out", async () => {
  site.setRoute("/hang", `<p>x</p><script>for (;;) {}</script>`);
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url("/hang") }, { ...list, timeout_ms: 300 } as Step],
  });
  expect(told.failure).toMatchObject({ code: "timeout", step: 1 });
});
