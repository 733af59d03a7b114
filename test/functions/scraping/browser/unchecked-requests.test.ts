import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { multiProcessArgs, NO_PREFETCHES } from "../../../../functions/scraping/browser/browsers.ts";
import { type Site, sendHtml, startSite } from "../../../site/site.ts";
import { type Engine, startEngine } from "../harness.ts";

/*
 * What the browser could send without showing it to the engine first, and does not. With the feature switched on again, it
 * sends it, so each test would notice if a newer browser no longer knew its switch.
 */

let site: Site;
let other: Site;
let engine: Engine | undefined;
beforeAll(async () => {
  site = await startSite();
  other = await startSite();
});
beforeEach(() => {
  for (const one of [site, other]) one.requests.length = 0;
  for (const path of ["/prerendered", "/listed", "/linked"])
    for (const one of [site, other]) one.setRoute(path, (_, response) => sendHtml(response, "ahead"));
});
afterEach(async () => {
  await engine?.close();
});
afterAll(async () => {
  await site.close();
  await other.close();
});

const received = () =>
  [...site.requests, ...other.requests].filter((path) => !["/page", "/seen"].includes(path));

/** Opens a page in a browser with such arguments, and waits by `wait`. Returns the requests that the browser sent. */
async function requestsOf(html: string, args: readonly string[], wait: Step): Promise<string[]> {
  engine = await startEngine([site.host, other.host], { args });
  site.setRoute("/page", `<p>One</p>${html}`);
  const told = await engine.run({ steps: [{ type: "visit", url: site.url("/page") }, wait] });
  expect(told.failure).toBeUndefined();
  return received();
}

/** Asks the site until it has received a request, and then says so. */
const UNTIL_SEEN = `<script>(async () => {
  while ((await (await fetch("/seen")).text()) !== "seen") await new Promise((next) => setTimeout(next, 20));
  document.body.append("seen");
})()</script>`;

const rules = (kind: string, rule: object) =>
  `<script type="speculationrules">${JSON.stringify({ [kind]: [{ eagerness: "immediate", ...rule }] })}</script>`;
const listed = (kind: string, url: string) => rules(kind, { source: "list", urls: [url] });

/** What does it, at once. */
const page = () =>
  [
    `<script>navigator.credentials.get({ identity: { providers: [{ configURL: "${other.url("/config")}", clientId: "1" }] } })</script>`,
    listed("prerender", site.url("/prerendered")),
    listed("prefetch", other.url("/listed")),
    `<a href="${other.url("/linked")}">Ahead</a>`,
    rules("prefetch", { source: "document", where: { href_matches: "http://*:*/*" } }),
  ].join("");

test("FedCM, prerendering and prefetching by speculation rules send nothing", async () => {
  expect(await requestsOf(page(), multiProcessArgs, { type: "wait", value: 1_000 })).toEqual([]);
});

test.each([
  ["FedCm", ["/.well-known/web-identity"]],
  ["Prerender2FallbackPrefetchSpecRules", ["/prerendered"]],
  [NO_PREFETCHES, ["/listed", "/linked"]],
])("without the switch of %s, they would", async (switched, requests) => {
  const args = multiProcessArgs.map((arg) =>
    arg
      .split(",")
      .filter((one) => one !== switched)
      .join(","),
  );
  site.setRoute("/seen", (_, response) => {
    response.end(requests.every((path) => received().includes(path)) ? "seen" : "");
  });
  const seen: Step = { type: "wait", text: "seen", timeout_ms: 30_000 };
  expect(await requestsOf(page() + UNTIL_SEEN, args, seen)).toEqual(expect.arrayContaining(requests));
});
