import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { ASK, TELL } from "../../../../functions/scraping/page-script/rest-protocol.ts";
import { type Engine, startEngine } from "../harness.ts";

let engine: Engine;
let leased: LeasedBrowser;
beforeAll(async () => {
  engine = await startEngine([]);
  leased = await engine.browsers.lease();
});
afterAll(async () => {
  await leased.close();
  await engine.close();
});

/* Sites of tests have addresses of this machine, which are secure. Most of what pages wait for is not there on other ones. */
test("a page by http tells what it waits for, although it lacks much of a secure one", async () => {
  const { page } = leased.tab;
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.route("http://shop.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: "Lamps" }),
  );
  await page.goto("http://shop.test/", { waitUntil: "commit" });
  const told = await page.evaluate(
    ([ask, tell]) => {
      let told: unknown;
      document.addEventListener(tell, (event) => {
        told = (event as CustomEvent).detail;
      });
      document.dispatchEvent(new Event(ask));
      return { isSecure: isSecureContext, told };
    },
    [ASK, TELL] as const,
  );
  expect(told).toEqual({ isSecure: false, told: expect.stringMatching(/^0 0 0 0 0 0 \d+$/) });
  expect(errors).toEqual([]);
});
